"""The question before a release, through Slack: what it shows, who answers it, and what a yes covers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from bot.domain.question import QuestionState
from bot.playground.client_types import Message
from tests.e2e.deployment import ANA, BEN, GPUS, Deployment

GRACE_S = 3


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """As the others', with an archive, and a grace that is long enough to do something in."""
    root = tmp_path_factory.mktemp("question")
    (root / "archive").mkdir()
    with_archive = Deployment(root, archive=root / "archive", release_grace_s=GRACE_S)
    with_archive.start()
    yield with_archive
    with_archive.close()


def is_kept(town: Deployment, name: str) -> bool:
    lease = town.lease(name)
    return lease.state is LeaseState.READY and lease.ref is not None


def refused(town: Deployment, who: str, shown: Message) -> Message:
    person = town.person(who)

    def look() -> Message | None:
        seen = [m for m in person.thread(GPUS, shown.ts) if m.ephemeral] + person.sees_dm()
        return next((m for m in seen if "or an approver can have this machine released" in m.words), None)

    return town.wait(look)


def states(town: Deployment, name: str) -> list[QuestionState]:
    """Of the questions that its thread shows, oldest first."""
    ids = [m.metadata["event_payload"]["id"] for m in town.questions() if m.metadata and f"*{name}*" in m.words]
    with town.store.read() as tx:
        found = [tx.questions.get(one) for one in ids]
    return [question.state for question in found if question is not None]


def test_it_shows_what_would_be_lost_and_offers_three_answers(town: Deployment) -> None:
    town.handed_over("shown")
    for number in range(7):
        town.write("shown", f"out/{number}.bin", b"x" * (number + 1) * 1000)
    town.write("shown", "__pycache__/x.pyc")
    question = town.asked("shown", "Would be lost: 7 files, 28.0 kB")
    assert "`~/work/out/6.bin` 7.0 kB" in question.words
    assert "caches (1 file, 8 B)" in question.words
    assert "Release deletes everything on it" in question.words
    assert "Waiting costs $0.04 an hour" in question.words
    assert f"<@{ANA}> or <@{BEN}> may answer" in question.words
    assert question.action_ids == ["question_yes", "question_save", "question_no"]
    bot = town.workspace.facts()["bot"]["id"]
    offered = town.wait(lambda: (m := town.person("ana").again(question)) and len(m.reactions) == 3 and m)
    assert offered.reactions == {"white_check_mark": [bot], "floppy_disk": [bot], "x": [bot]}
    assert "is asked already" in town.ana("/gpu release shown").words
    assert states(town, "shown") == [QuestionState.OPEN], "one live question"


def test_a_yes_by_reaction_releases_after_the_grace_and_the_receipt_says_what_was_lost(town: Deployment) -> None:
    town.handed_over("reacted")
    town.write("reacted", "model.pt", b"x" * 5000)
    question = town.asked("reacted", "1 file, 5.0 kB")
    town.person("ana").react(question, "white_check_mark")
    town.in_thread("reacted", "approved the release", "losing 1 file, 5.0 kB", "until then ❌ takes it back")
    town.card_of("reacted", "*released*")
    over = town.in_thread("reacted", "approved the release", "losing 1 file, 5.0 kB. It was released")
    assert (over.ts, over.action_ids) == (question.ts, []), "nothing can be answered any more"
    assert "takes it back" not in over.words
    receipt = town.in_thread("reacted", "Receipt for")
    assert f"Knowingly lost: 1 file, 5.0 kB, by the yes of <@{ANA}>" in receipt.words
    assert "said yes to its release: 1 file, 5.0 kB" in town.ana("/gpu audit reacted").words


def test_an_outsiders_answers_do_not_count_and_an_approvers_do(town: Deployment) -> None:
    card = town.handed_over("outsider")
    town.write("outsider", "model.pt")
    question = town.asked("outsider", "1 file")
    cy = town.person("cy")  # an admin of the policy is no approver
    cy.react(question, "white_check_mark")
    refused(town, "cy", card)
    cy.react(question, "floppy_disk")
    assert cy.click(question, "question_save").acked
    assert states(town, "outsider") == [QuestionState.OPEN]
    town.person("ben").react(question, "white_check_mark")
    town.card_of("outsider", "*released*")


@pytest.mark.parametrize("way", ["x", "taken back", "button"])
def test_in_the_grace_it_can_be_stopped(town: Deployment, way: str) -> None:
    name = f"graced-{way.replace(' ', '-')}"
    town.handed_over(name)
    town.write(name, "model.pt")
    question, ana = town.asked(name, "1 file"), town.person("ana")
    ana.react(question, "white_check_mark")
    town.in_thread(name, "approved the release")
    match way:
        case "x":
            ana.react(question, "x")
        case "taken back":
            ana.unreact(question, "white_check_mark")
        case _:
            assert ana.click(question, "question_no").acked
    town.in_thread(name, "Nothing was released")
    town.card_of(name, "*ready* until")
    assert is_kept(town, name)


def test_no_keeps_it_and_a_new_wish_asks_again(town: Deployment) -> None:
    town.handed_over("kept")
    town.write("kept", "model.pt")
    town.person("ana").react(town.asked("kept", "1 file"), "x")
    town.in_thread("kept", "Nothing was released")
    assert is_kept(town, "kept")
    town.asked("kept", "1 file")
    assert states(town, "kept") == [QuestionState.NO, QuestionState.OPEN]


def test_a_file_written_in_the_grace_makes_it_ask_anew_and_opens_the_doors_again(town: Deployment) -> None:
    town.handed_over("late")
    town.write("late", "model.pt", b"x" * 10)
    question = town.asked("late", "1 file, 10 B")
    assert town.person("ana").click(question, "question_yes").acked
    town.in_thread("late", "approved the release")
    town.write("late", "later.pt", b"x" * 20)
    anew = town.in_thread("late", "Asked anew:", "files came, went or changed", "2 files, 30 B")
    assert "`~/work/later.pt`" in anew.words
    assert is_kept(town, "late")
    town.wait(lambda: not town.lease("late").is_fenced)
    assert states(town, "late") == [QuestionState.SUPERSEDED, QuestionState.OPEN]
    assert town.person("ana").click(anew, "question_yes").acked
    town.card_of("late", "*released*")


def test_growth_of_a_file_that_was_shown_as_open_does_not(town: Deployment) -> None:
    town.handed_over("logged")
    path = town.write("logged", "train.log", b"epoch 1\n")
    with path.open("ab", buffering=0) as log:
        question = town.asked("logged", "Open for writing: `~/work/train.log`")
        assert town.person("ana").click(question, "question_yes").acked
        town.in_thread("logged", "approved the release")
        log.write(b"epoch 2\n" * 100)
        town.card_of("logged", "*released*")
    assert states(town, "logged") == [QuestionState.YES]


def test_jobs_that_were_named_are_ended_and_what_they_wrote_is_covered(town: Deployment) -> None:
    town.handed_over("working")
    loop = "exec >> train.log; while :; do echo epoch; sleep 0.1; done"
    assert "Starting *working/1*" in town.ana(f"/gpu run working -- sh -c '{loop}'").words
    log = town.home("working") / "work" / "train.log"
    town.wait(log.exists)
    question = town.asked("working", "Runs now, and would be ended: `working/1`")
    assert "Open for writing: `~/work/train.log`" in question.words
    assert town.person("ana").click(question, "question_yes").acked
    town.card_of("working", "*released*", timeout_s=60)
    assert states(town, "working") == [QuestionState.YES]


def test_nothing_to_lose_is_released_without_a_question(town: Deployment) -> None:
    town.handed_over("empty")
    assert "if nothing would, it is released" in town.ana("/gpu release empty").words
    town.in_thread("empty", "Nothing was added to it since its hand-over")
    town.card_of("empty", "*released*", timeout_s=30)
    assert states(town, "empty") == []
    assert "gpubot released it, since nothing on it would have been lost" in town.ana("/gpu audit empty").words
    assert "nothing that was seen by the last look" in town.in_thread("empty", "Receipt for").words


def test_a_machine_that_cannot_be_reached_is_unknown_and_the_question_says_so(town: Deployment) -> None:
    town.handed_over("unseen")
    town.write("unseen", "model.pt")
    home = town.home("unseen")
    home.rename(home.with_name("elsewhere"))
    try:
        question = town.asked("unseen", "What is on it is unknown")
    finally:
        home.with_name("elsewhere").rename(home)
    assert "Take it that everything on it exists nowhere else" in question.words
    # by the last look it can be seen again: that is not what the yes was to
    assert town.person("ana").click(question, "question_yes").acked
    town.in_thread("unseen", "Asked anew:", "it can no longer be seen as before, or only now", "1 file, 8 B")
    assert is_kept(town, "unseen")


def test_a_stopped_machine_is_unknown_and_a_yes_to_that_may_release_it(town: Deployment) -> None:
    town.handed_over("halted")
    town.ana("/gpu stop halted")
    town.card_of("halted", "*stopped*")
    question = town.asked("halted", "it does not run, so its disks cannot be looked at")
    assert question.action_ids == ["question_yes", "question_no"]
    assert town.person("ana").click(question, "question_yes").acked
    town.card_of("halted", "*released*")
    assert "Lost: not known how much" in town.in_thread("halted", "Receipt for").words


def test_a_save_of_a_stopped_machine_is_not_offered_and_one_that_is_given_says_that_it_stays(town: Deployment) -> None:
    town.handed_over("dark")
    town.write("dark", "model.pt")
    town.ana("/gpu stop dark")
    card = town.card_of("dark", "*stopped*")
    question, ana = town.asked("dark", "it does not run"), town.person("ana")
    bot = town.workspace.facts()["bot"]["id"]
    town.wait(lambda: ana.again(question).reactions == {"white_check_mark": [bot], "x": [bot]})
    ana.react(question, "floppy_disk")

    def told() -> str:
        seen = (m.words for m in ana.thread(GPUS, card.ts) if m.ephemeral)
        return next((words for words in seen if "nothing can be copied" in words), "")

    assert "it counts by itself" in town.wait(told)
    assert "Take the 💾 away to withdraw it" in told()
    ana.unreact(question, "floppy_disk")
    town.ana("/gpu start dark")
    town.card_of("dark", "*ready*")
    shown = town.in_thread("dark", "By now it was started", "`/gpu release dark` shows what is on it")
    assert shown.action_ids == ["question_yes", "question_save", "question_no"]
    town.wait(lambda: ana.again(question).reactions.get("floppy_disk") == [bot])
    assert is_kept(town, "dark")


def test_git_work_and_blind_spots_are_in_words(town: Deployment, tmp_path: Path) -> None:
    town.handed_over("gitty")
    (town.home("gitty") / "work" / "out").symlink_to(tmp_path)
    town.write("gitty", "code/.git/HEAD", b"ref: refs/heads/main\n")
    question = town.asked("gitty", "Would be lost")
    assert "Git: `~/work/code`: git did not answer" in question.words
    assert "Could not look into: `~/work/out` (a link that leads elsewhere)" in question.words
