"""Data disks that outlive their machines, through Slack: kept, attached again, paid for, deleted only on a yes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.disk import DiskState
from bot.domain.instance import InstanceRef, LaunchSpec
from bot.domain.release import Clear, decide
from bot.playground.client_types import Message
from handlers.action_ids import RentField
from tests.e2e.deployment import ANA, BEN, GPUS, POLICY, Deployment

WHITE = "white_check_mark"
ABOVE = "\n[release]\napprover_above_gib = 0.000001\n"
"""About a kilobyte."""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """With an archive; reactions are heard, and read at each start alone."""
    root = tmp_path_factory.mktemp("disks")
    (root / "archive").mkdir()
    with_archive = Deployment(root, policy=POLICY + ABOVE, archive=root / "archive", signs_read_s=900)
    with_archive.start()
    yield with_archive
    with_archive.close()


def gone(town: Deployment, name: str) -> None:
    """Ana's machine of that name is released, and its data disk is kept."""
    town.ana(f"/gpu release {name} --keep-disk")
    town.card_of(name, "*released*", timeout_s=30)
    town.in_thread(name, f"is kept as *{name}*", "costs $0.01 an hour")


def kept(town: Deployment, name: str) -> None:
    """As `gone`, with ``model.pt`` on the disk."""
    town.handed_over(name)
    town.write(name, "model.pt", b"precious")
    gone(town, name)


def asked(town: Deployment, name: str, *words: str, who: str = "ana") -> Message:
    said = town.person(who).command(GPUS, f"/gpu disks delete {name}").words
    assert "is in the thread of the machine that had it last" in said
    return town.in_thread(name, f"Delete the disk *{name}*", *words)


def asked_about(town: Deployment, name: str) -> list[Message]:
    return [question for question in town.questions() if f"the disk *{name}*" in question.words]


def told(town: Deployment, who: str, *words: str) -> Message:
    """The newest direct message that says all of these."""
    person = town.person(who)
    return town.wait(
        lambda: next((m for m in reversed(person.sees_dm()) if all(w in m.words for w in words)), None), 20
    )


def look_now(town: Deployment, disk_id: str) -> None:
    """As if its next look were due."""
    with town.store.transaction() as tx:
        tx.disks.look_now(disk_id, datetime.now(UTC))


def end_at_the_vendors(town: Deployment, ref: InstanceRef) -> None:
    """End a machine that is not the bot's, and keep its disk."""
    behind = replace(town.lease("touched"), id="not-ours", handed_over_at=None)
    decision = decide(behind, None, datetime.now(UTC), timedelta(0))
    assert isinstance(decision, Clear)
    town.wait(lambda: town.provider.release(ref, decision.clearance) and town.provider.get(ref) is None)


def volumes(town: Deployment) -> set[str]:
    return {disk.id for disk in town.provider.disks().disks}


def test_a_disk_is_kept_and_attached_again_and_stays_when_that_machine_goes(town: Deployment) -> None:
    kept(town, "models")
    town.in_thread("models", "Nothing would be lost: its data disk is kept")
    assert "bills on* by itself" in town.in_thread("models", "Receipt for").words
    listed = town.ana("/gpu disks").words
    assert re.search(r"\*models\*: 100 GiB at local, here-1, kept since .*last on \*models\*. \$0.01 an hour", listed)
    town.ana("/gpu rent cpu 1h name=second disk=models")
    town.card_of("second", "*ready*")
    assert (town.home("second") / "work" / "model.pt").read_bytes() == b"precious"
    assert "on *second* now" in town.ana("/gpu disks models").words
    assert "is on `second` now" in town.ana("/gpu rent cpu 1h name=third disk=models").words
    assert "is on `second` now" in town.ana("/gpu disks delete models").words
    (town.home("second") / "note.txt").write_text("on the system disk")
    question = town.asked("second", "Would be lost: 1 file")
    assert "model.pt" not in question.words
    assert "Release keeps the data disk and deletes the rest" in question.words
    assert town.person("ana").click(question, "question_yes").acked
    town.card_of("second", "*released*", timeout_s=30)
    town.in_thread("second", "is kept as *models*")
    assert len(volumes(town)) == 1


def test_a_copy_has_what_is_on_a_kept_disk_too(town: Deployment) -> None:
    kept(town, "copied")
    town.ana("/gpu rent cpu 1h name=copier disk=copied")
    town.card_of("copier", "*ready*")
    town.ana("/gpu sync copier")
    ended = town.in_thread("copier", "ended", "verified in", timeout_s=40)
    assert "Not safe" not in ended.words
    place = town.root / "archive" / ANA / f"copier-{town.lease('copier').id}" / "home" / "work" / "model.pt"
    assert place.read_bytes() == b"precious"


def test_an_open_question_is_asked_anew_about_what_would_be_lost_all_the_same(town: Deployment) -> None:
    town.handed_over("late")
    town.write("late", "model.pt", b"precious")
    (town.home("late") / "note.txt").write_text("12")
    question = town.asked("late", "Would be lost: 2 files")
    town.ana("/gpu release late --keep-disk")
    anew = town.in_thread("late", "Would be lost: 1 file, 2 B", "keeps the data disk as *late*")
    assert anew.ts != question.ts
    assert town.person("ana").click(anew, "question_yes").acked
    town.in_thread("late", "is kept as *late*", timeout_s=30)


def test_the_question_shows_what_lay_on_it_and_what_of_that_has_a_copy(town: Deployment) -> None:
    town.handed_over("shown")
    town.write("shown", "copied.bin", b"x" * 700)
    town.ana("/gpu sync shown")
    town.in_thread("shown", "ended", "verified in", timeout_s=40)
    for number in range(60):
        town.write("shown", f"many/{number:02}.txt", b"y" * 100)
    gone(town, "shown")
    question = asked(town, "shown")
    for words in (
        "when *shown* was released; no machine had it since. On it: 61 files, 6.7 kB",
        "With a verified copy in the archive: 1 file, 700 B of that",
        "*Would be lost: 60 files, 6.0 kB*",
        "• `~/work/many/",
        "Keeping it costs $0.01 an hour, about $10.00 a month",
        "💾 is not possible while no machine has it",
        "`/gpu rent GPU DURATION disk=shown`",
        f"<@{ANA}> or <@{BEN}> may answer, by button or by reaction",
    ):
        assert words in question.words, question.words
    assert "~/work/copied.bin" not in question.words
    assert question.action_ids == ["question_yes", "question_no"]
    town.wait(lambda: (m := town.person("ana").again(question)) and set(m.reactions) == {WHITE, "x"})
    assert "is in the thread" in town.ana("/gpu disks delete shown").words
    assert len(asked_about(town, "shown")) == 1, "a second wish points to the first one"
    assert "is being asked" in town.ana("/gpu rent cpu 1h name=fourth disk=shown").words
    town.person("ana").react(question, "floppy_disk")
    thread = lambda: town.person("ana").thread(GPUS, question.thread_ts or "")  # noqa: E731
    town.wait(lambda: any("Nothing can be saved from the disk `shown`" in m.words for m in thread() if m.ephemeral))
    town.person("ana").react(question, "x")
    town.in_thread("shown", f"<@{ANA}> keeps the disk *shown*", "Nothing was deleted")
    said = town.ana("/gpu audit shown").words
    number = re.search(rf"<@{ANA}> kept its kept disk: 60 files, 6.0 kB, inventory `[0-9a-f]+`, question `(\w+)`", said)
    assert number is not None, said
    listed = town.ana(f"/gpu audit shown list={number[1]}").words
    assert f"<@{ANA}> kept it" in listed
    assert "• `~/work/many/" in listed
    assert "… and 10 more, 60 in all: the whole list comes to you directly as a file" in listed
    message = told(town, "ana", f"question `{number[1]}` about *shown*", "60 files")
    files = town.wait(lambda: [r.files[0] for r in town.person("ana").thread("dm", message) if r.files])
    rows = town.workspace.file(files[0]).decode().splitlines()
    assert rows[0] == "bytes\tpath"
    assert sorted(rows[1:]) == [f"100\t~/work/many/{number:02}.txt" for number in range(60)]


def test_a_disk_is_deleted_only_by_who_may_and_a_reaction_counts(town: Deployment) -> None:
    kept(town, "doomed")
    before = volumes(town)
    question = asked(town, "doomed", "<@U0CY00000>, an admin, asks for it", who="cy")  # who may ask, and not answer
    direct = told(town, "ana", "wants your disk *doomed* deleted", "the question")
    assert direct.action_ids == ["question_yes", "question_no"]
    cy, ana, ben = (town.person(name) for name in ("cy", "ana", "ben"))
    assert cy.click(question, "question_yes").acked
    assert ben.click(question, "question_yes").acked  # too early
    town.wait(
        lambda: any(f"<@{ANA}> has the word first" in m.words for m in ben.thread(GPUS, question.thread_ts or ""))
    )
    assert volumes(town) == before
    assert ana.click(direct, "question_no").acked
    told(town, "ana", "The disk *doomed* is kept")
    question = asked(town, "doomed", f"<@{BEN}>, an approver, asks for it", who="ben")
    ana.react(question, WHITE)
    town.in_thread("doomed", f"is deleted by the yes of <@{ANA}>", timeout_s=30)
    town.in_thread("doomed", f"<@{ANA}> approved it: the disk *doomed* (100 GiB) is deleted, losing 1 file, 8 B")
    assert len(volumes(town)) == len(before) - 1
    assert "There is no kept disk `doomed`" in ana.command(GPUS, "/gpu disks delete doomed").words
    words = town.ana("/gpu audit doomed").words
    assert f"<@{ANA}> said yes to the deletion of its kept disk: 1 file, 8 B" in words
    assert "<@U0CY00000> said yes" not in words


@pytest.mark.long
def test_answers_while_the_bot_was_away_count_and_above_the_teams_size_another_has_to_say_yes(town: Deployment) -> None:
    for name in ("away", "big"):
        town.handed_over(name)
        town.write(name, "model.pt", b"x" * (3000 if name == "big" else 9))
        gone(town, name)
    away, big = asked(town, "away"), asked(town, "big", "takes the ✅ of an approver who did not ask; ❌ takes none")
    ana = town.person("ana")
    town.stop()
    ana.react(away, WHITE)
    ana.react(big, WHITE)
    town.start()
    town.in_thread("away", "is deleted by the yes of", timeout_s=40)
    told(town, "ana", "Your ✅ under", "the disk *big* does not count")
    town.person("ben").react(big, WHITE)
    town.in_thread("big", f"is deleted by the yes of <@{BEN}>", timeout_s=30)


def test_what_something_else_had_is_not_what_was_shown(town: Deployment) -> None:
    kept(town, "touched")
    question = asked(town, "touched", "Would be lost: 1 file")
    with town.store.read() as tx:
        disk = tx.disks.called("touched")
    assert disk is not None
    lease = town.lease("touched")
    spec = LaunchSpec("not-ours", "other", lease.offer, 100, lease.public_key, disk.volume_id)
    elsewhere = town.provider.launch(spec)
    town.person("ana").react(question, WHITE)
    town.in_thread("touched", "is over: something that is not mine had the disk", timeout_s=30)
    town.in_thread("touched", "Something that is not mine has the disk *touched*", "nothing is deleted")
    assert str(disk.volume_id) in volumes(town)
    end_at_the_vendors(town, elsewhere)
    question = asked(town, "touched", "What is on it is unknown", "attached to something that is not mine")
    town.person("ben").react(question, WHITE)
    town.in_thread("touched", f"is deleted by the yes of <@{BEN}>", timeout_s=30)


def test_refusals(town: Deployment) -> None:
    kept(town, "here")
    assert "cannot be had elsewhere" in town.ana("/gpu rent cpu 1h disk=here region=here-2").words
    assert "Did you mean `here`" in town.ana("/gpu rent cpu 1h disk=hera").words
    assert (
        "or an approver can do that with the disk"
        in town.person("cy").command(GPUS, "/gpu rent cpu 1h disk=here").words
    )


def test_a_disk_that_somebody_deleted_at_the_vendors_is_lost_and_bills_no_more(town: Deployment) -> None:
    kept(town, "stolen")
    question = asked(town, "stolen")
    with town.store.read() as tx:
        disk = tx.disks.called("stolen")
    assert disk is not None
    (town.root / "data" / "local" / "disks" / str(disk.volume_id)).rename(town.root / "stolen")
    look_now(town, disk.id)
    words = town.in_thread(
        "stolen", f"<@{ANA}> The disk *stolen*", "the provider's complete list no longer has it"
    ).words
    assert "It bills no more and cost under $0.01 in all" in words
    town.wait(lambda: (m := town.person("ana").again(question)) and "no longer matters" in m.words and not m.action_ids)
    assert "gone at the provider, and not by my doing" in town.person("ana").again(question).words
    assert "There is no kept disk `stolen`" in town.ana("/gpu disks delete stolen").words
    with town.store.read() as tx:
        after = tx.disks.get(disk.id)
    assert after is not None
    assert (after.state, after.intervals[-1].ended_at is not None) == (DiskState.LOST, True)
    look_now(town, disk.id)
    town.ana("/gpu status")
    notices = [
        m for m in town.person("ana").thread(GPUS, town.card_of("stolen").ts) if "I did not delete it" in m.words
    ]
    assert len(notices) == 1


def test_approvers_see_the_whole_teams_and_the_rent_form_offers_ones_own(town: Deployment) -> None:
    kept(town, "formed")
    assert "Only an approver can do that" in town.ana("/gpu disks all").words
    words = town.person("ben").command(GPUS, "/gpu disks all").words
    assert re.search(rf"\*formed\* of <@{ANA}>: 100 GiB at local, here-1, kept since .*\. \$0.01 an hour, about", words)
    assert "You have no kept disks" in town.person("ben").command(GPUS, "/gpu disks").words
    ben, ana = town.person("ben"), town.person("ana")
    for person in (ben, ana):
        person.command(GPUS, "/gpu rent")
    view = town.wait(ben.modal)
    assert RentField.DATA_DISK not in [block["block_id"] for block in view.body["blocks"]], "he has none"
    ben.close(view)
    view = town.wait(ana.modal)
    assert "formed · 100 GiB · local, here-1" in view.words
    chosen = {RentField.MACHINE: "cpu:0", RentField.DATA_DISK: "formed", RentField.LENGTH: "3600"}
    ana.click(view, RentField.DATA_DISK, chosen="formed", values=chosen)
    view = town.wait(lambda: (v := ana.modal()) and "with the kept disk formed (100 GiB)" in v.words and v)
    assert "*$0.04 in whole*: CPU only (simulated) at local, here-1" in view.words
    wrong = ana.submit(view, **chosen, rent_disk="200")
    assert wrong.errors == {RentField.DISK: "The disk “formed” has its own size, 100 GiB. Leave the size out."}
    wrong = ana.submit(view, **chosen | {RentField.MACHINE: "rtx4090:1"})  # in another region only
    assert "that machine is not offered there" in wrong.errors[RentField.DATA_DISK]
    assert ana.submit(view, **chosen, rent_name="formed-two").acked
    town.card_of("formed-two", "*ready*")
    assert (town.home("formed-two") / "work" / "model.pt").read_bytes() == b"precious"
