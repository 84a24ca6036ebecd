"""What people do until the bot dies, for every named fault point, and what has to be true once it has gone on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.domain.lease import LeaseState
from bot.ports.faults import FaultPoint
from tests.e2e.deployment import GPUS, Deployment
from tests.e2e.dropping import content, drop, grant_files, press
from tests.e2e.soundness import only_lease

P = FaultPoint
FAR_AHEAD = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Tale:
    """What people do until the bot dies, and what the card says once it has gone on by itself."""

    told: Callable[[Deployment], None]
    ends: str
    state: LeaseState
    went_on: Callable[[Deployment], object] = lambda _: None
    """What else has to be seen."""


def rent(bot: Deployment) -> None:
    # not `bot.ana`: the bot may die before it can acknowledge
    bot.person("ana").command(GPUS, "/gpu rent cpu 1h")


def _rent_and_settle(bot: Deployment) -> None:
    """It is ready, and all of that is said."""
    rent(bot)
    bot.card("*ready*", 30)
    settle(bot)


def _home(bot: Deployment) -> None:
    _rent_and_settle(bot)
    bot.person("ana").open_home()


def _stop(bot: Deployment) -> None:
    _rent_and_settle(bot)
    bot.person("ana").command(GPUS, "/gpu stop")


def _start(bot: Deployment) -> None:
    _stop(bot)
    bot.card("*stopped*", 30)
    settle(bot)
    bot.person("ana").command(GPUS, "/gpu start")


def _end(bot: Deployment) -> None:
    rent(bot)
    bot.card("*ready*", 30)
    bot.write(bot.only_name(), "model.pt")
    settle(bot)
    bot.end_lease(bot.only_name())


def _ask(bot: Deployment) -> None:
    _rent_and_settle(bot)
    bot.write(bot.only_name(), "model.pt", b"x" * 2000)
    bot.person("ana").command(GPUS, "/gpu release")


def _list(bot: Deployment) -> None:
    """More files than a message shows, and somebody wants to see them all."""
    rent(bot)
    bot.card("*ready*", 30)
    name = bot.only_name()
    for number in range(60):
        bot.write(name, f"{number:02}.txt", b"1")
    bot.person("ana").command(GPUS, "/gpu release")
    bot.question("Would be lost: 60 files")
    settle(bot)
    with bot.store.read() as tx:
        question = tx.questions.latest(only_lease(bot).id)
    assert question is not None
    bot.person("ana").command(GPUS, f"/gpu audit {name} list={question.id}")


def _release(bot: Deployment) -> None:
    _ask(bot)
    question = bot.question("Would be lost: 1 file, 2.0 kB")
    settle(bot)
    bot.person("ana").click(question, "question_yes")


def _save(bot: Deployment) -> None:
    _ask(bot)
    question = bot.question("Would be lost: 1 file, 2.0 kB")
    settle(bot)
    bot.person("ana").click(question, "question_save")


def _check(bot: Deployment) -> None:
    _rent_and_settle(bot)
    bot.person("ana").command(GPUS, "/gpu check")


def _sync(bot: Deployment) -> None:
    _rent_and_settle(bot)
    bot.write(bot.only_name(), "model.pt", b"x" * 2000)
    bot.person("ana").command(GPUS, "/gpu sync")


def _fetch(bot: Deployment) -> None:
    _sync(bot)
    bot.wait(lambda: _is_archived(bot), 40)
    settle(bot)
    bot.person("ana").command(GPUS, "/gpu fetch model.pt")


def _delete_disk(bot: Deployment) -> None:
    _rent_and_settle(bot)
    bot.person("ana").command(GPUS, "/gpu release --keep-disk")
    bot.in_thread(bot.only_name(), "is kept as", timeout_s=30)
    settle(bot)
    bot.person("ana").command(GPUS, f"/gpu disks delete {bot.only_name()}")
    question = bot.in_thread(bot.only_name(), "Delete the disk")
    settle(bot)
    bot.person("ana").click(question, "question_yes")


def _run(bot: Deployment) -> None:
    _rent_and_settle(bot)
    lines = "for i in $(seq 1 30); do echo step=$i loss=0.$((90 - i)); sleep 0.03; done"
    bot.person("ana").command(GPUS, f"/gpu run -- `{lines}`")


def _kill(bot: Deployment) -> None:
    rent(bot)
    bot.card("*ready*", 30)
    bot.person("ana").command(GPUS, "/gpu run -- `echo step=1 loss=0.5; sleep 300`")
    bot.job("running", "loss 0.5")
    settle(bot)
    bot.person("ana").command(GPUS, "/gpu kill")


def _log(bot: Deployment) -> None:
    _run(bot)
    bot.job("done, exit 0")
    settle(bot)
    bot.person("ana").command(GPUS, "/gpu logs --file")


def _curve(bot: Deployment) -> None:
    _run(bot)
    bot.job("done, exit 0", "loss")
    settle(bot)
    bot.person("ana").command(GPUS, "/gpu loss --log")


def _drop(bot: Deployment) -> None:
    """A file whose name is taken, so that something is moved aside on its way."""
    grant_files(bot)
    _rent_and_settle(bot)
    bot.write(bot.only_name(), "train.py", b"old")
    drop(bot, bot.only_name(), ("train.py", b"new" * 100_000))
    bot.wait(lambda: not bot.is_running or _asks_about_a_file(bot), 30)
    if bot.is_running:
        press(bot, bot.in_thread(bot.only_name(), "is there already"), "file_replace", 0)


def settle(bot: Deployment) -> None:
    """Wait until all is said and shown (or the bot is dead)."""
    bot.wait(lambda: not (bot.is_running and _behind(bot)), 30)


def _behind(bot: Deployment) -> bool:
    with bot.store.read() as tx:
        # as of far in the future: what waits for its next try counts too
        return bool(tx.outbox.due(FAR_AHEAD, 1)) or bool(tx.living.due(FAR_AHEAD, 1))


def _waits_for(look: Callable[[Deployment], bool]) -> Callable[[Deployment], object]:
    return lambda bot: bot.wait(lambda: look(bot), 40)


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


def _placed_once(bot: Deployment) -> None:
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


def _disk_is_gone(bot: Deployment) -> None:
    bot.in_thread(bot.only_name(), "is deleted by the yes of", timeout_s=30)
    assert not bot.provider.disks().disks


RENT = Tale(rent, "*ready*", LeaseState.READY)
HOME = Tale(_home, "*ready*", LeaseState.READY)
STOP = Tale(_stop, "*stopped*", LeaseState.STOPPED)
START = Tale(_start, "*ready*", LeaseState.READY)
ASK = Tale(_ask, "the question in this thread waits for an answer", LeaseState.READY)
JOB = Tale(_run, "*ready*", LeaseState.READY)
LOG = Tale(_log, "*ready*", LeaseState.READY)
CURVE = Tale(_curve, "*ready*", LeaseState.READY)
KILL = Tale(_kill, "*ready*", LeaseState.READY)
RELEASE = Tale(_release, "*released*", LeaseState.RELEASED)
SAVE = Tale(_save, "*released*", LeaseState.RELEASED, _waits_for(_is_archived))
END = Tale(_end, "*ready*", LeaseState.READY, lambda bot: bot.question("Its lease ended"))
CHECK = Tale(_check, "*ready*", LeaseState.READY)
SYNC = Tale(_sync, "*ready*", LeaseState.READY, _waits_for(_is_archived))
LIST = Tale(_list, "the question in this thread waits for an answer", LeaseState.READY, _waits_for(_is_listed))
DISK = Tale(_delete_disk, "*released*", LeaseState.RELEASED, _disk_is_gone)
FETCH = Tale(_fetch, "*ready*", LeaseState.READY, _waits_for(_is_fetched))
DROP = Tale(_drop, "*ready*", LeaseState.READY, _placed_once)

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
SECOND = {P.MESSAGE_POSTED: ASK, P.NOTICE_POSTED: STOP}
