"""Questions and quotes: one open question per lease, and messages that follow."""

import pytest
from sqlalchemy.exc import IntegrityError

from bot.domain.living import LivingMessage, Subject
from bot.domain.notice import Priority
from bot.domain.question import QuestionState
from bot.domain.quote import QuoteState
from storage.store import SqlStore
from tests.storage.samples import at, lease, question, quote, show_card


def test_a_question_lives_in_the_thread_of_its_lease(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease(channel="C7"))
        show_card(tx)
        tx.questions.add(question())
        assert tx.living.get(Subject.QUESTION, "q1") == LivingMessage(
            Subject.QUESTION, "q1", "C7", 1, 0, Priority.PERSON, thread_of="l1"
        )
        assert [living.subject for living in tx.living.due(at(1), 10)] == [Subject.QUESTION, Subject.LEASE]


def test_an_answer_touches_the_question_and_the_card(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.questions.add(question())
        tx.questions.save(question().answered(QuestionState.NO, "U1", at(1)))
        wanted = [tx.living.get(Subject.QUESTION, "q1"), tx.living.get(Subject.LEASE, "l1")]
    assert [living and living.wanted for living in wanted] == [2, 3]


def test_a_second_open_question_is_refused_by_the_database(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.questions.add(question("q1"))
    with pytest.raises(IntegrityError), store.transaction() as tx:
        tx.questions.add(question("q2"))
    with store.transaction() as tx:
        tx.questions.save(question("q1").answered(QuestionState.SUPERSEDED, "U1", at(1)))
        tx.questions.add(question("q2"))
        tx.leases.add(lease("l3", "calm-owl"))
        tx.questions.add(question("q3", "l3"))
    with store.read() as tx:
        latest = tx.questions.latest("l1")
        assert tx.questions.latest("l2") is None
        assert tx.questions.latest_of(["l1", "l2"]) == {"l1": question("q2")}
    assert latest == question("q2")


def test_a_quote_lives_in_its_channel(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.quotes.add(quote(channel="C9"))
        living = tx.living.get(Subject.QUOTE, "k1")
        assert living == LivingMessage(Subject.QUOTE, "k1", "C9", 1, 0, Priority.PERSON)
        assert tx.living.due(at(0), 10) == (living,)
    with store.transaction() as tx:
        tx.quotes.save(quote(channel="C9").answered(QuoteState.DECLINED, "U1"))
        touched = tx.living.get(Subject.QUOTE, "k1")
        assert touched is not None
        assert touched.wanted == 2


def test_what_is_not_there(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.questions.lock("nobody") is None
        assert tx.quotes.lock("nobody") is None
        assert tx.quotes.get("nobody") is None
        assert tx.leases.lock("nobody") is None
