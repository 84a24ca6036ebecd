"""The bot is killed at every named fault point; started again, the story goes on by itself."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from bot.ports.faults import FaultPoint
from tests.e2e.conftest import Deploy
from tests.e2e.deployment import GPUS, Deployment
from tests.e2e.dropping import content, drop, grant_files, press
from tests.e2e.soundness import assert_sound, leases, living_messages, only_lease

P = FaultPoint
FAR_AHEAD = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Tale:
    """What people do until the bot dies, and what the card says once it has gone on by itself."""

    told: Callable[[Deployment], None]
    ends: str
    state: LeaseState


def _rent(bot: Deployment) -> None:
    # not `bot.ana`: the bot may die before it can acknowledge
    bot.person("ana").command(GPUS, "/gpu rent cpu 1h")


def _home(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.person("ana").open_home()


def _stop(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu stop")


def _start(bot: Deployment) -> None:
    _stop(bot)
    bot.card("*stopped*", 30)
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu start")


def _end(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    bot.write(bot.only_name(), "model.pt")
    _settle(bot)
    bot.end_lease(bot.only_name())


def _ask(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.write(bot.only_name(), "model.pt", b"x" * 2000)
    bot.person("ana").command(GPUS, "/gpu release")


def _list(bot: Deployment) -> None:
    """More files than a message shows, and somebody wants to see them all."""
    _rent(bot)
    bot.card("*ready*", 30)
    name = bot.only_name()
    for number in range(60):
        bot.write(name, f"{number:02}.txt", b"1")
    bot.person("ana").command(GPUS, "/gpu release")
    bot.question("Would be lost: 60 files")
    _settle(bot)
    with bot.store.read() as tx:
        question = tx.questions.latest(only_lease(bot).id)
    assert question is not None
    bot.person("ana").command(GPUS, f"/gpu audit {name} list={question.id}")


def _release(bot: Deployment) -> None:
    _ask(bot)
    question = bot.question("Would be lost: 1 file, 2.0 kB")
    _settle(bot)
    bot.person("ana").click(question, "question_yes")


def _save(bot: Deployment) -> None:
    _ask(bot)
    question = bot.question("Would be lost: 1 file, 2.0 kB")
    _settle(bot)
    bot.person("ana").click(question, "question_save")


def _check(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu check")


def _sync(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.write(bot.only_name(), "model.pt", b"x" * 2000)
    bot.person("ana").command(GPUS, "/gpu sync")


def _fetch(bot: Deployment) -> None:
    _sync(bot)
    bot.wait(lambda: _is_archived(bot), 40)
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu fetch model.pt")


def _delete_disk(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu release --keep-disk")
    bot.in_thread(bot.only_name(), "is kept as", timeout_s=30)
    _settle(bot)
    bot.person("ana").command(GPUS, f"/gpu disks delete {bot.only_name()}")
    question = bot.in_thread(bot.only_name(), "Delete the disk")
    _settle(bot)
    bot.person("ana").click(question, "question_yes")


def _run(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    lines = "for i in $(seq 1 30); do echo step=$i loss=0.$((90 - i)); sleep 0.03; done"
    bot.person("ana").command(GPUS, f"/gpu run -- `{lines}`")


def _kill(bot: Deployment) -> None:
    _rent(bot)
    bot.card("*ready*", 30)
    bot.person("ana").command(GPUS, "/gpu run -- `echo step=1 loss=0.5; sleep 300`")
    bot.job("running", "loss 0.5")
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu kill")


def _log(bot: Deployment) -> None:
    _run(bot)
    bot.job("done, exit 0")
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu logs --file")


def _curve(bot: Deployment) -> None:
    _run(bot)
    bot.job("done, exit 0", "loss")
    _settle(bot)
    bot.person("ana").command(GPUS, "/gpu loss --log")


def _drop(bot: Deployment) -> None:
    """A file whose name is taken, so that something is moved aside on its way."""
    grant_files(bot)
    _rent(bot)
    bot.card("*ready*", 30)
    _settle(bot)
    bot.write(bot.only_name(), "train.py", b"old")
    drop(bot, bot.only_name(), ("train.py", b"new" * 100_000))
    bot.wait(lambda: not bot.is_running or _asks_about_a_file(bot), 30)
    if bot.is_running:
        press(bot, bot.in_thread(bot.only_name(), "is there already"), "file_replace", 0)


RENT = Tale(_rent, "*ready*", LeaseState.READY)
HOME = Tale(_home, "*ready*", LeaseState.READY)
STOP = Tale(_stop, "*stopped*", LeaseState.STOPPED)
START = Tale(_start, "*ready*", LeaseState.READY)
ASK = Tale(_ask, "the question in this thread waits for an answer", LeaseState.READY)
JOB = Tale(_run, "*ready*", LeaseState.READY)
LOG = Tale(_log, "*ready*", LeaseState.READY)
CURVE = Tale(_curve, "*ready*", LeaseState.READY)
KILL = Tale(_kill, "*ready*", LeaseState.READY)
RELEASE = Tale(_release, "*released*", LeaseState.RELEASED)
SAVE = Tale(_save, "*released*", LeaseState.RELEASED)
END = Tale(_end, "*ready*", LeaseState.READY)
CHECK = Tale(_check, "*ready*", LeaseState.READY)
SYNC = Tale(_sync, "*ready*", LeaseState.READY)
LIST = Tale(_list, "the question in this thread waits for an answer", LeaseState.READY)
DISK = Tale(_delete_disk, "*released*", LeaseState.RELEASED)
FETCH = Tale(_fetch, "*ready*", LeaseState.READY)
DROP = Tale(_drop, "*ready*", LeaseState.READY)

TALES = {
    P.RENT_RECORDED: RENT,
    P.LAUNCH_CALLED: RENT,
    P.LAUNCH_STORED: RENT,
    P.CHECK_PASSED: RENT,
    P.READY_STORED: RENT,
    P.CHECK_LOOKED: CHECK,
    P.USE_LOOKED: RENT,
    P.MESSAGE_POSTED: RENT,
    P.NOTICE_POSTED: RENT,
    P.HOME_PUBLISHED: HOME,
    P.STOP_RECORDED: STOP,
    P.STOP_CALLED: STOP,
    P.STOP_STORED: STOP,
    P.START_RECORDED: START,
    P.START_CALLED: START,
    P.START_STORED: START,
    P.RELEASE_ASKED: ASK,
    P.QUESTION_LOOKED: ASK,
    P.QUESTION_STORED: ASK,
    P.END_STORED: END,
    P.ANSWERS_READ: RELEASE,
    P.RELEASE_FENCED: RELEASE,
    P.RELEASE_LOOKED: RELEASE,
    P.SYNC_RECORDED: SYNC,
    P.SYNC_COPIED: SAVE,
    P.SYNC_STORED: SAVE,
    P.LIST_SENT: LIST,
    P.DISK_DELETED: DISK,
    P.FETCH_RECORDED: FETCH,
    P.FETCH_TOLD: FETCH,
    P.FETCH_SENT: FETCH,
    P.FILES_RECORDED: DROP,
    P.FILE_WRITTEN: DROP,
    P.FILE_PLACED: DROP,
    P.RELEASE_ANSWERED: RELEASE,
    P.RELEASE_CALLED: RELEASE,
    P.RELEASE_STORED: RELEASE,
    P.RELEASE_GONE: RELEASE,
    P.JOB_RECORDED: JOB,
    P.JOB_STARTED: JOB,
    P.JOB_POLLED: JOB,
    P.JOB_STORED: JOB,
    P.JOB_KILL_RECORDED: KILL,
    P.JOB_KILLED: KILL,
    P.LOG_SENT: LOG,
    P.CURVE_SENT: CURVE,
    P.RUN_JUDGED: JOB,
    P.PICTURE_UPLOADED: JOB,
}
AROUND = (JOB, KILL, LOG, CURVE, FETCH, LIST, DROP, DISK, CHECK, HOME, END)
"""Tales beside the life of a machine and its data."""
NTH = [
    *(pytest.param(point, 1, marks=[pytest.mark.long] if TALES[point] in AROUND else []) for point in FaultPoint),
    (P.MESSAGE_POSTED, 2),
    (P.NOTICE_POSTED, 2),
]
"""The second message is the question; the second notice says that it stopped."""
SECOND = {P.MESSAGE_POSTED: ASK, P.NOTICE_POSTED: STOP}


Killings = dict[tuple[FaultPoint, int], "Future[None]"]


@pytest.fixture(scope="module")
def killings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killings]:
    """All tales that are asked for, three at a time: most of each is waiting for a bot to start."""
    asked = [getattr(item, "callspec", None) for item in request.session.items if item.parent is request.node]
    keys = [(call.params["point"], call.params["nth"]) for call in asked if call is not None]
    with ThreadPoolExecutor(3) as pool:
        roots = {key: tmp_path_factory.mktemp("killed") for key in keys}
        yield {key: pool.submit(_kill_and_go_on, root, *key) for key, root in roots.items()}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(("point", "nth"), NTH, ids=str)
def test_killed_at(killings: Killings, point: FaultPoint, nth: int) -> None:
    killings[point, nth].result()


def _kill_and_go_on(root: Path, point: FaultPoint, nth: int) -> None:
    tale = TALES[point] if nth == 1 else SECOND[point]
    (root / "archive").mkdir()
    with closing(Deployment(root, claim_ttl_s=1, archive=root / "archive", use_look_s=1, thread_files_mib=1)) as bot:
        bot.start(kill_at=f"{point}:{nth}")
        tale.told(bot)
        bot.died()
        machine = {instance.ref for instance in bot.provider.list_owned().instances}

        bot.start()
        bot.card(tale.ends, 40)
        if tale is END:
            bot.question("Its lease ended")
        _settle(bot)
        if tale is DISK:
            bot.in_thread(bot.only_name(), "is deleted by the yes of", timeout_s=30)
            assert not bot.provider.disks().disks
        if tale is FETCH:
            bot.wait(lambda: _is_fetched(bot), 40)
        if tale is LIST:
            bot.wait(lambda: _is_listed(bot), 40)
        if tale is DROP:
            _assert_placed_once(bot)
        if tale in (SAVE, SYNC):
            bot.wait(lambda: _is_archived(bot), 40)
            _settle(bot)
        lease = only_lease(bot)
        assert lease.state is tale.state
        after = {instance.ref for instance in bot.provider.list_owned().instances}
        assert after == (set() if tale.state is LeaseState.RELEASED else machine or after)
        assert_sound(bot, (GPUS,))
        _assert_one_job(bot, tale)
        _assert_said_once(bot, point)
        _assert_one_question(bot, tale)


def test_every_point_has_a_tale() -> None:
    assert set(TALES) == set(FaultPoint)


@pytest.mark.long
def test_a_second_crash_while_mending_the_first(deploy: Deploy) -> None:
    bot = deploy(claim_ttl_s=1)
    bot.start(kill_at=P.LAUNCH_CALLED)
    _rent(bot)
    bot.died()
    bot.start(kill_at=P.LAUNCH_CALLED, wait=False)
    bot.died()
    bot.start(kill_at=P.CHECK_PASSED, wait=False)
    bot.died()
    bot.start()
    bot.card("*ready*", 30)
    assert len(leases(bot)) == 1
    _settle(bot)
    assert_sound(bot, (GPUS,))


def _settle(bot: Deployment) -> None:
    """Wait until all is said and shown (or the bot is dead)."""
    bot.wait(lambda: not (bot.is_running and _behind(bot)), 30)


def _behind(bot: Deployment) -> bool:
    with bot.store.read() as tx:
        # as of far in the future: what waits for its next try counts too
        return bool(tx.outbox.due(FAR_AHEAD, 1)) or bool(tx.living.due(FAR_AHEAD, 1))


def _is_archived(bot: Deployment) -> bool:
    """The file is in the archive, whole, on record once, and the copy has ended."""
    lease = only_lease(bot)
    with bot.store.read() as tx:
        is_known, is_over = tx.safe.archived(lease.id) == (1, 2000), not tx.syncs.open_of(lease.id)
    (copy, *more) = [path for path in (bot.root / "archive").rglob("model.pt*") if path.is_file()] or [None]
    return is_known and is_over and copy is not None and copy.read_bytes() == b"x" * 2000 and not more


def _is_fetched(bot: Deployment) -> bool:
    """The file is with its asker, and nothing is left to do."""
    with bot.store.read() as tx:
        if tx.fetches.due(FAR_AHEAD, 1):
            return False
    told = [m for m in bot.person("ana").sees_dm() if "You asked for `~/work/model.pt`" in m.words]
    replies = [reply for m in told for reply in bot.person("ana").thread("dm", m.ts)]
    return {bot.workspace.file(file) for reply in replies for file in reply.files} == {b"x" * 2000}


def _is_listed(bot: Deployment) -> bool:
    """The whole list is with its asker, and nothing is left to do."""
    with bot.store.read() as tx:
        if tx.lists.due(FAR_AHEAD, 1):
            return False
    told = [m for m in bot.person("ana").sees_dm() if "The list that question" in m.words]
    replies = [reply for m in told for reply in bot.person("ana").thread("dm", m.ts)]
    return {len(bot.workspace.file(file).splitlines()) for reply in replies for file in reply.files} == {61}


def _asks_about_a_file(bot: Deployment) -> bool:
    (card,) = bot.cards()
    return any("file_replace" in m.action_ids for m in bot.person("ana").thread(GPUS, card.ts))


def _assert_placed_once(bot: Deployment) -> None:
    """The new file has its name, the old one another, and nothing half done lies beside them."""
    name = bot.only_name()
    bot.wait(lambda: _is_put(bot) or _asks_about_a_file(bot), 30)
    if not _is_put(bot) and _asks_about_a_file(bot):
        press(bot, bot.in_thread(name, "is there already"), "file_replace", 0)
    bot.in_thread(name, "put on", "`~/work/train.py` (300 kB)", "is kept as `~/work/train.before-", timeout_s=30)
    found = content(bot, name)
    (aside,) = found.keys() - {"train.py"}
    assert (found["train.py"], found[aside]) == (b"new" * 100_000, b"old")


def _is_put(bot: Deployment) -> bool:
    with bot.store.read() as tx:
        return any(entry.action == "file-put" for entry in tx.audit.of(None, 1000))


def _assert_said_once(bot: Deployment, point: FaultPoint) -> None:
    """Notices are at least once: the one that was just out when the bot died may come a second time."""
    (card,) = bot.cards()
    said = [m.text for m in bot.person("ana").thread(GPUS, card.ts)[1:] if m.metadata is None]
    twice = len(said) - len(set(said))
    assert twice <= (1 if point is P.NOTICE_POSTED else 0), said
    assert said


def _assert_one_job(bot: Deployment, tale: Tale) -> None:
    """One job, its message went on to its end, each line of its output counts once."""
    if tale not in (JOB, KILL, LOG, CURVE):
        assert not bot.jobs()
        return
    ending, last = ("killed by", 1) if tale is KILL else ("done, exit 0", 30)
    message = bot.job(ending)
    bot.wait(lambda: any(block["type"] == "image" for block in bot.jobs()[0].blocks), 30)
    _settle(bot)
    assert [job.ts for job in bot.jobs()] == [message.ts]
    lease = only_lease(bot)
    with bot.store.read() as tx:
        (job,) = tx.jobs.of(lease.id, 10)
        (curve,) = tx.points.of(job.id).values()
        output = tx.jobs.output(job.id)
    assert [point.x for point in curve] == list(range(1, last + 1))
    assert len(output.tail.splitlines()) == last
    assert job.offset_bytes == job.size_bytes == len(output.tail)


def _assert_one_question(bot: Deployment, tale: Tale) -> None:
    questions = [key for key in living_messages(bot, GPUS) if key[0] == "question"]
    assert len(questions) == (1 if tale in (ASK, RELEASE, SAVE, END, LIST, DISK) else 0)
    if tale in (ASK, END):
        assert "question_yes" in bot.question().action_ids
