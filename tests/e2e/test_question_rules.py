"""The rules around the question, through Slack: a lease's end, the owner's word, sizes, unheard answers, the audit."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.lease import LeaseState
from bot.domain.question import Question
from bot.playground.client_types import Message
from tests.e2e.deployment import ANA, BEN, GPUS, POLICY, Deployment

pytestmark = pytest.mark.long

ABOVE = "\n[release]\napprover_above_gib = 0.000001\n"
"""About a kilobyte."""
IDLE = "\n[idle]\nask_after_hours = 0.002\n"
OWNER_FIRST_S, IDLE_AFTER_S = 6, 2


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Everything that takes hours takes seconds here; reactions are heard, and read at each start alone."""
    root = tmp_path_factory.mktemp("rules")
    short = {"owner_first_s": OWNER_FIRST_S, "end_stop_s": 4, "use_look_s": 0.5, "idle_after_s": IDLE_AFTER_S}
    running = Deployment(root, policy=POLICY + ABOVE, signs_read_s=900, release_grace_s=1, **short)
    running.workspace.change_person("ana", tz=f"Etc/GMT{datetime.now(UTC).hour - 12:+d}")
    running.start()
    yield running
    running.close()


def latest(town: Deployment, name: str) -> Question:
    with town.store.read() as tx:
        found = tx.questions.latest(town.lease(name).id)
    assert found is not None
    return found


def told(town: Deployment, who: str, *words: str) -> Message:
    """The newest direct message that says all of these."""
    person = town.person(who)
    return town.wait(
        lambda: next((m for m in reversed(person.sees_dm()) if all(w in m.words for w in words)), None), 20
    )


def unused(town: Deployment, name: str) -> None:
    """Wait until looks have seen for long enough that nobody uses it."""

    def look() -> bool:
        with town.store.read() as tx:
            activity = tx.use.get(town.lease(name).id)
        since = activity.idle_since if activity is not None else None
        return since is not None and datetime.now(UTC) - since > timedelta(seconds=IDLE_AFTER_S + 0.5)

    town.wait(look, 20)


def test_before_its_end_the_owner_hears_of_it_and_can_make_it_longer(town: Deployment) -> None:
    town.handed_over("soon")
    town.end_lease("soon", 300)
    reminder = town.in_thread("soon", "*soon* ends", "So far it cost", "without a yes")
    assert reminder.action_ids == ["lease_extend", "lease_extend_long", "lease_release"]
    assert [button.text for button in reminder.buttons[:2]] == ["Extend 1 h ($0.04)", "Extend 4 h ($0.16)"]
    before = town.lease("soon").ends_at
    assert before is not None
    assert town.person("ana").click(reminder, "lease_extend_long").acked
    town.in_thread("soon", "extended *soon* by 4 h")
    after = town.lease("soon").ends_at
    assert after is not None
    assert (after - before).total_seconds() == 4 * 3600


def test_at_its_end_it_is_asked_and_a_running_job_is_not_cut(town: Deployment) -> None:
    town.handed_over("over")
    town.write("over", "model.pt")
    assert "Starting *over/1*" in town.ana("/gpu run over -- sleep 600").words
    town.card_of("over", "over/1")
    town.end_lease("over")
    question = town.in_thread("over", "Release *over*", "Its lease ended", "Runs now, and would be ended: `over/1`")
    assert question.action_ids[-2:] == ["lease_extend", "lease_extend_long"]
    assert "it is stopped (not released)" in question.words
    assert "is asked already" in town.ana("/gpu release over").words
    town.person("ana").react(question, "x")
    no = town.in_thread("over", "Nothing was released", "That makes the lease no longer", "It is asked again")
    assert "goes on at $0.04 an hour" in no.words
    assert town.lease("over").state is LeaseState.READY
    assert town.jobs()
    assert latest(town, "over").answered_by == ANA


def test_what_nobody_uses_is_stopped_and_keeps_its_question(town: Deployment) -> None:
    town.handed_over("left")
    town.write("left", "model.pt")
    unused(town, "left")
    town.end_lease("left")
    question = town.in_thread("left", "Release *left*", "Its lease ended", "1 file")
    town.in_thread("left", "*left* is being stopped: its lease ended", "a stop is not a release")
    town.card_of("left", "*stopped*")
    shown = town.person("ana").again(question)
    assert shown is not None
    assert "question_yes" in shown.action_ids


def test_a_clean_machine_that_nobody_uses_goes_by_itself_at_its_end(town: Deployment) -> None:
    town.handed_over("bare")
    unused(town, "bare")
    town.end_lease("bare")
    town.in_thread("bare", "The lease of *bare* has ended.", "nothing can be lost")
    town.card_of("bare", "*released*", timeout_s=30)


def test_the_owner_is_told_directly_and_has_the_word_first(town: Deployment) -> None:
    town.handed_over("hers")
    town.write("hers", "model.pt")
    ben = town.person("ben")
    assert "Looking at what is on" in ben.command(GPUS, "/gpu release hers").words
    question = town.in_thread("hers", "Release *hers*", f"<@{BEN}>, an approver, asks for it", "1 file")
    ben.react(question, "white_check_mark")
    told(town, "ana", f"<@{BEN}> wants your machine *hers* released", "the question")
    town.wait(
        lambda: any(f"<@{ANA}> has the word first" in m.words for m in ben.thread(GPUS, question.thread_ts or ""))
    )
    town.in_thread("hers", "was told directly: an approver's ✅ counts from")
    assert latest(town, "hers").answered_by is None
    town.card_of("hers", "*released*", timeout_s=40)
    answered = latest(town, "hers")
    assert answered.answered_by == BEN, "the reaction that stayed counted by itself"
    assert answered.answered_at is not None
    assert answered.owner_first_until is not None
    assert answered.answered_at >= answered.owner_first_until


def test_the_owners_answer_counts_at_once_also_from_the_direct_message(town: Deployment) -> None:
    town.handed_over("mine")
    town.write("mine", "model.pt")
    assert town.person("cy").command(GPUS, "/gpu release mine").acked  # an admin may ask, and not answer
    town.in_thread("mine", "Release *mine*", "an admin, asks for it")
    direct = told(town, "ana", "wants your machine *mine* released")
    assert direct.action_ids == ["question_yes", "question_save", "question_no"]
    assert town.person("ana").click(direct, "question_no").acked
    town.in_thread("mine", f"<@{ANA}> keeps *mine*")
    told(town, "ana", "*mine* is kept")


def test_above_the_teams_size_another_has_to_say_yes(town: Deployment) -> None:
    town.handed_over("big")
    town.write("big", "model.pt", b"x" * 5000)
    question = town.asked("big", "takes the ✅ of an approver who did not ask; 💾 and ❌ take none")
    ana = town.person("ana")
    assert ana.click(question, "question_yes").acked
    town.wait(lambda: any("takes the ✅ of an approver" in m.words for m in ana.thread(GPUS, question) if m.ephemeral))
    assert latest(town, "big").answered_by is None
    town.person("ben").react(question, "white_check_mark")
    town.card_of("big", "*released*")


def test_what_was_shown_answered_and_by_whom_is_on_record(town: Deployment) -> None:
    """Of the machine that was just released."""
    said = town.ana("/gpu audit big").words
    number = re.search(
        r"<@U0BEN0000> said yes to its release: 1 file, 5.0 kB, inventory `[0-9a-f]{8}`, question `(\w+)`", said
    )
    assert number is not None, said
    assert f"gpubot released it by the yes of <@{BEN}>: question `{number[1]}`" in said
    listed = town.ana(f"/gpu audit big list={number[1]}").words
    assert f"<@{BEN}> said yes" in listed
    assert "• `~/work/model.pt` 5.0 kB" in listed
    assert (
        "can see what is on this machine" in town.person("cy").command(GPUS, f"/gpu audit big list={number[1]}").words
    )
    assert "There is no question" in town.ana("/gpu audit big list=0123456789").words


def test_answers_that_were_given_while_the_bot_was_away_count(town: Deployment) -> None:
    questions = {}
    for name in ("yes", "no"):
        town.handed_over(f"away-{name}")
        town.write(f"away-{name}", "model.pt")
        questions[name] = town.asked(f"away-{name}", "1 file")
    town.wait(lambda: all(len(m.reactions) == 2 for q in questions.values() if (m := town.person("ana").again(q))))
    town.stop()
    ana = town.person("ana")
    ana.react(questions["yes"], "white_check_mark")
    town.person("cy").react(questions["yes"], "x")  # may not answer
    ana.react(questions["no"], "white_check_mark")
    town.person("ben").react(questions["no"], "x")
    town.start()
    town.card_of("away-yes", "*released*", timeout_s=40)
    town.in_thread("away-no", f"<@{BEN}> keeps *away-no*")
    told(town, "ana", "contradict each other", "*away-no*", "❌")
    assert town.lease("away-no").state is LeaseState.READY


def test_answers_that_no_connection_brought_count(town: Deployment) -> None:
    """Both connections are gone for a moment; what was given meanwhile is read once they stand again."""
    town.handed_over("cut")
    town.write("cut", "model.pt")
    question = town.asked("cut", "1 file")
    town.wait(lambda: (m := town.person("ana").again(question)) and len(m.reactions) == 2)
    town.workspace.misbehave.refuse_sockets(3)
    assert town.workspace.misbehave.drop_sockets() == 2
    town.wait(lambda: town.workspace.sockets() == 0)
    town.person("ana").react(question, "x")
    town.in_thread("cut", f"<@{ANA}> keeps *cut*", timeout_s=40)


def test_idleness_may_ask_where_the_policy_says_so(town: Deployment) -> None:
    town.stop()
    (town.root / "policy.toml").write_text(POLICY + ABOVE + IDLE)
    town.start()
    assert "unused for 7 s, whose reminders were not answered, is asked about" in town.ana("/gpu policy").words
    town.handed_over("idler")
    town.write("idler", "model.pt")
    town.in_thread("idler", "*idler* is unused since")
    town.in_thread("idler", "Release *idler*", "It is unused, and the reminders were not answered", timeout_s=40)
    town.ana("/gpu keep idler 2h")
    town.in_thread("idler", f"<@{ANA}> keeps *idler*", "Nothing was released.")
    assert town.lease("idler").state is LeaseState.READY
