"""Every aggregate comes back as it was stored, with all its fields."""

from dataclasses import fields
from typing import Any

import pytest

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.jobs.curve_wish import CurveWish
from bot.domain.jobs.job import Job
from bot.domain.jobs.reading import JobOutput
from bot.domain.jobs.run_file import RunFile
from bot.domain.kept_secret import KeptSecret
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease
from bot.domain.ledger import Interval
from bot.domain.living import LivingMessage, Subject
from bot.domain.metrics import Point
from bot.domain.notice import Notice, Priority
from bot.domain.offers import Offer
from bot.domain.picture import Picture
from bot.domain.places import MessageRef
from bot.domain.question import Question
from bot.domain.quote import Quote
from bot.ports.delivery_store import QueuedNotice
from bot.ports.store import OfferSheet, Store
from storage import tables
from storage.store import SqlStore
from tests.storage.samples import (
    MINUTE,
    NOON,
    at,
    full_lease,
    full_notice,
    full_question,
    full_quote,
    lease,
    offer,
    question,
    quote,
    unfilled,
)


@pytest.mark.parametrize(
    ("value", "row"),
    [
        (Lease, tables.LeaseRow),
        (Interval, tables.IntervalRow),
        (Question, tables.QuestionRow),
        (Quote, tables.QuoteRow),
        (Notice, tables.NoticeRow),
        (LivingMessage, tables.LivingRow),
        (Claim, tables.ClaimRow),
        (PublicKey, tables.KeyRow),
        (KeptSecret, tables.SecretRow),
        (OfferSheet, tables.OfferSheetRow),
        (AuditEntry, tables.AuditRow),
        (Job, tables.JobRow),
        (JobOutput, tables.JobOutputRow),
        (Point, tables.PointRow),
        (Picture, tables.PictureRow),
        (RunFile, tables.RunFileRow),
        (Point, tables.FilePointRow),
        (CurveWish, tables.CurveWishRow),
    ],
)
def test_a_table_has_a_column_for_every_field(value: Any, row: Any) -> None:
    names = set(getattr(value, "_fields", ())) or {field.name for field in fields(value)}
    assert names <= set(row.__table__.columns.keys())


def test_the_store_is_what_the_port_asks_for(store: SqlStore) -> None:
    port: Store = store
    with port.read() as tx:
        assert tx.leases.get("nobody") is None


@pytest.mark.parametrize("value", [full_lease(), lease()])
def test_lease(store: SqlStore, value: Lease) -> None:
    with store.transaction() as tx:
        tx.leases.add(value)
    with store.read() as tx:
        assert tx.leases.get("l1") == value
        assert tx.leases.by_name("amber-fox") == value


def test_a_full_lease_is_full() -> None:
    assert [unfilled(v) for v in (full_lease(), full_question(), full_quote(), full_notice())] == [[], [], [], []]


def test_a_lease_saved_over_another(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.leases.save(full_lease(), at(1))
    with store.transaction() as tx:
        assert tx.leases.lock("l1") == full_lease()


def test_question(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.questions.add(question())
        assert tx.questions.lock("q1") == question()
        tx.questions.save(full_question())
    with store.read() as tx:
        assert tx.questions.get("q1") == tx.questions.latest_of_disk("d1") == full_question()


def test_quote(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.quotes.add(quote())
        assert tx.quotes.lock("k1") == quote()
        tx.quotes.save(full_quote())
    with store.read() as tx:
        assert tx.quotes.get("k1") == full_quote()


def test_notice(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.outbox.put(full_notice(), NOON)
    with store.read() as tx:
        [queued] = tx.outbox.due(NOON, 10)
    assert queued == QueuedNotice(queued.id, full_notice(), 0, NOON)


def test_living_message(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.leases.add(lease())
        tx.living.add(Subject.QUESTION, "q1", "C1", "l1", Priority.PERSON)
    for step in range(3):
        with store.transaction() as tx:
            living = tx.living.get(Subject.QUESTION, "q1")
            assert living is not None
            if step == 0:
                tx.living.shown(living, MessageRef("C2", "17.1"), at(1))
            elif step == 1:
                tx.living.posting(living, "C3", at(2))
            else:
                tx.living.postpone(living, at(3))
    with store.read() as tx:
        stored = tx.living.get(Subject.QUESTION, "q1")
    assert stored == LivingMessage(
        Subject.QUESTION, "q1", "C3", 1, 1, Priority.PERSON, MessageRef("C2", "17.1"), "l1", at(2), at(1), at(3), 1
    )
    assert unfilled(stored) == []


def test_keys(store: SqlStore) -> None:
    first = PublicKey("U1", "ssh-ed25519 AAAA", "SHA256:a", "laptop", at(1))
    second = PublicKey("U1", "ssh-rsa BBBB", "SHA256:b", "", at(0))
    with store.transaction() as tx:
        assert tx.keys.add(first)
        assert tx.keys.add(second)
        assert not tx.keys.add(first)
        assert tx.keys.add(PublicKey("U2", "ssh-ed25519 AAAA", "SHA256:a", "laptop", at(1)))
    with store.transaction() as tx:
        assert tx.keys.of("U1") == (first, second)
        assert tx.keys.remove("U1", "SHA256:a")
        assert not tx.keys.remove("U1", "SHA256:a")
    with store.read() as tx:
        assert tx.keys.of("U1") == (second,)
        assert len(tx.keys.of("U2")) == 1


def test_secrets(store: SqlStore) -> None:
    first, other = KeptSecret("U1", "WANDB_API_KEY", "sealed", at(1)), KeptSecret("U2", "HF_TOKEN", "theirs", at(1))
    newer = KeptSecret("U1", "HF_TOKEN", "newer", at(2))
    with store.transaction() as tx:
        for secret in (first, other, KeptSecret("U1", "HF_TOKEN", "older", at(1)), newer):
            tx.secrets.put(secret)
    with store.transaction() as tx:
        assert tx.secrets.of("U1") == (newer, first)
        assert tx.secrets.remove("U1", "HF_TOKEN")
        assert not tx.secrets.remove("U1", "HF_TOKEN")
    with store.read() as tx:
        assert tx.secrets.of("U1") == (first,)
        assert tx.secrets.of("U2") == (other,)


def test_offers(store: SqlStore) -> None:
    prices: tuple[Offer, ...] = (offer(stock=3), offer("b", simulated=True))
    with store.transaction() as tx:
        tx.offers.failed("lambda", "credentials")
        tx.offers.replace("aws", prices, NOON)
        tx.offers.failed("aws", "vendor-trouble")
    with store.transaction() as tx:
        assert tx.offers.sheets() == (
            OfferSheet("aws", prices, NOON, "vendor-trouble"),
            OfferSheet("lambda", (), None, "credentials"),
        )
        tx.offers.replace("aws", (), at(1))
    with store.read() as tx:
        assert tx.offers.sheets()[0] == OfferSheet("aws", (), at(1), None)


def test_audit(store: SqlStore) -> None:
    entries = [AuditEntry(at(n), f"U{n}", "rent", f"l{n % 2}", {"n": n, "ok": True}) for n in range(4)]
    entries.append(AuditEntry(at(0), "gpubot", "start", None))
    with store.transaction() as tx:
        for entry in entries:
            tx.audit.add(entry)
    with store.read() as tx:
        assert tx.audit.of(None, 10) == tuple(reversed(entries))
        assert tx.audit.of(None, 2) == (entries[4], entries[3])
        assert tx.audit.of("l1", 10) == (entries[3], entries[1])


def test_inbox(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.inbox.first_time("Ev1", NOON)
        assert not tx.inbox.first_time("Ev1", NOON)
        assert tx.inbox.first_time("Ev2", at(1))
    with store.transaction() as tx:
        tx.inbox.forget_before(NOON + MINUTE)
    with store.transaction() as tx:
        assert not tx.inbox.first_time("Ev2", at(1))
        assert tx.inbox.first_time("Ev1", at(1))


def test_claim(store: SqlStore) -> None:
    with store.transaction() as tx:
        claim = tx.claims.take("l1", Duty.OFFERS, "w1", NOON, MINUTE)
    assert claim == Claim("l1", Duty.OFFERS, "w1", 1, NOON + MINUTE)
