"""Files dropped into a machine's thread, in words: what landed where, what is asked, and why one did not."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from bot.domain.drops.drop import FILES_AT_MOST, FOLDER, Choice, Drop, DroppedFile, Entry, EntryKind, FileState, WhyNot
from bot.domain.lease import Lease
from bot.domain.policy import Denial
from handlers.words.figures import moment
from handlers.words.paths import files_words, path_words, size_words
from handlers.words.refusal_facts import Facts
from handlers.words.text import plain

_LONGEST_NAME: Final = 100
_LONGEST_PART: Final = 2800
ASKED_AT_ONCE: Final = 5
"""With more questions, each with its buttons, Slack may refuse a message; those that are left follow as these are
answered."""
_AGAIN: Final = "then drop it again"
_S, _W = FileState, WhyNot

_WHY: Final[Mapping[WhyNot, str]] = {
    _W.GONE: "Slack has it no more; it was deleted, or is too old for the workspace's plan",
    _W.SCOPE: (
        "Slack does not let me read files: the app lacks the scope `files:read`, or was not installed again since it has it. "
        "`python -m bot check` tells whoever runs gpubot"
    ),
    _W.ELSEWHERE: "it does not lie in Slack as a file; download it, and drop the file itself",
    _W.WITHHELD: "Slack does not give it to me; it may belong to another workspace that does not share it",
    _W.TOO_LARGE: "it is bigger than the {most} that I take; `scp` or `rsync` do better, and `/gpu ssh {name}` shows the address",
    _W.NOT_SENT: "Slack did not send it",
    _W.BOOTING: "*{name}* is not ready yet",
    _W.UNREACHABLE: "*{name}* does not answer",
    _W.DISK_FULL: f"there is no room for it on the disk of *{{name}}*; make some, {_AGAIN}",
    _W.NOT_WRITABLE: "`~/work` on *{name}* does not take it; `/gpu check {name}` looks at its disks",
    _W.NO_SFTP: "*{name}* takes no files over SFTP",
    _W.STOPPED: f"*{{name}}* is stopped; `/gpu start {{name}}`, {_AGAIN}",
    _W.UNFIT: f"*{{name}}* is not fit to hand over; take it as it is on its card, {_AGAIN}",
    _W.LEAVING: f"*{{name}}* is being released; ❌ on its question takes that back, {_AGAIN}",
    _W.OVER: "*{name}* is over; drop it in the thread of a machine that runs",
    _W.UNANSWERED: "nobody answered within a day",
}
_KINDS: Final[Mapping[EntryKind, str]] = {
    EntryKind.FILE: "a file",
    EntryKind.FOLDER: "a folder",
    EntryKind.LINK: "a link",
    EntryKind.OTHER: "something that is no file",
}
CHOICES: Final[Mapping[Choice, str]] = {
    Choice.REPLACE: "Replace it, keep the old one aside",
    Choice.BOTH: "Keep both",
    Choice.LEAVE: "Leave it as it is",
}


def drop_words(drop: Drop, lease: Lease, most_bytes: int) -> str:
    """A message in words alone, for notifications and screen readers; what is too long for one is in its blocks."""
    lines = [*told_words(drop, lease, most_bytes), *(words for _, words in questions(drop, lease))]
    return lines[0] if len(lines) == 1 else next(iter(_parts(lines)), "")


def told_words(drop: Drop, lease: Lease, most_bytes: int) -> list[str]:
    """What became of the files, but for those that are asked about; in parts of which each fits a section."""
    return list(_parts(list(_told(drop, lease, most_bytes))))


def questions(drop: Drop, lease: Lease) -> Iterator[tuple[int, str]]:
    """(which file, what is asked), of the first that are to be asked about."""
    asked = [(n, file, file.there) for n, file in enumerate(drop.files) if file.state is _S.ASKED and file.there]
    for index, file, there in asked[:ASKED_AT_ONCE]:
        asks = f"What about the one that you dropped ({size_words(file.size_bytes)})?"
        is_there = f"{_path(file.name)} is there already on *{lease.name}*: {_there(there)}."
        yield index, f"<@{drop.asked_by}> {is_there} {asks}"


def not_taken_words(facts: Facts) -> str:
    """Why a dropped file was not taken at all; to whoever dropped it."""
    name, why = str(facts.get("name")), str(facts.get("why"))
    say = _NOT_TAKEN.get(why)
    return say(facts, name) if say is not None else f"I did not take the file: {plain(why)}."


def answered_words(facts: Facts) -> str:
    """The question about a file is over."""
    by = f" by <@{facts['by']}>" if facts.get("by") else ""
    return f"That was answered already{by}, or is over; the message says what became of the file."


def _told(drop: Drop, lease: Lease, most_bytes: int) -> Iterator[str]:
    placed = [file for file in drop.files if file.state is _S.PLACED]
    if len(placed) > 1:
        size_bytes = sum(file.size_bytes for file in placed)
        yield f":inbox_tray: <@{drop.asked_by}> put {files_words(len(placed), size_bytes)} on *{lease.name}*:"
    for file in placed:
        where = f"{_path(file.placed_as)} ({size_words(file.size_bytes)})"
        lead = f":inbox_tray: <@{drop.asked_by}> put on *{lease.name}*:" if len(placed) == 1 else "•"
        yield f"{lead} {where}{_instead(file)}"
    for file in drop.files:
        if file.state is _S.LEFT:
            by = f"<@{file.chosen_by}> left it so" if file.chosen_by else _why(file, lease, most_bytes)
            yield f"• {_path(file.name)} on *{lease.name}* stays as it was: {by}."
        elif file.state is _S.FAILED:
            yield f":warning: {_named(file)} is not on *{lease.name}*: {_why(file, lease, most_bytes)}."
    asked = sum(file.state is _S.ASKED for file in drop.files)
    if asked > ASKED_AT_ONCE:
        yield f"• Of {files_words(asked)} the names are taken; the first {ASKED_AT_ONCE} are asked about here, the others after them."
    yield from _waiting([file for file in drop.files if file.state is _S.WAITING], lease, most_bytes)


def _parts(lines: list[str]) -> Iterator[str]:
    part = ""
    for line in lines:
        if part and len(part) + len(line) >= _LONGEST_PART:
            yield part
            part = ""
        part = f"{part}\n{line}" if part else line
    if part:
        yield part


def _waiting(files: list[DroppedFile], lease: Lease, most_bytes: int) -> Iterator[str]:
    if not files:
        return
    it = "it" if len(files) == 1 else "them"
    what = _named(files[0]) if len(files) == 1 else files_words(len(files))
    match files[0].why:
        case _W.BOOTING:
            yield f":hourglass: {what}: I put {it} into `~/{FOLDER}` as soon as *{lease.name}* is ready."
        case None:
            yield f":hourglass: {what} on the way to *{lease.name}*."
        case _:
            yield f":hourglass: {what} not there yet: {_why(files[0], lease, most_bytes)}. I try again, for about 20 min."


def _instead(file: DroppedFile) -> str:
    if file.aside:
        return f". What had that name is kept as {_path(file.aside)}; <@{file.chosen_by}> had it replaced"
    if file.choice is Choice.BOTH:
        return f". {_path(file.name)} stays as it was; <@{file.chosen_by}> keeps both"
    return ""


def _there(entry: Entry) -> str:
    changed = moment(datetime.fromtimestamp(entry.changed_at, UTC))
    size = f" of {size_words(entry.size_bytes)}" if entry.kind is EntryKind.FILE else ""
    return f"{_KINDS[entry.kind]}{size}, last changed {changed}"


def _why(file: DroppedFile, lease: Lease, most_bytes: int) -> str:
    return _WHY[file.why or _W.NOT_SENT].format(name=lease.name, most=size_words(most_bytes))


def _named(file: DroppedFile) -> str:
    return path_words(file.name.encode(), _LONGEST_NAME) if file.name else "A file"


def _path(name: str) -> str:
    return path_words(f"~/{FOLDER}/{name}".encode(), _LONGEST_NAME)


def _not_mine(facts: Facts, name: str) -> str:
    return f"I leave your file where it is: only <@{facts.get('owner')}>, an approver or an admin can put files on *{name}*."


def _reason(why: WhyNot) -> Callable[[Facts, str], str]:
    return lambda _facts, name: f"I did not take the file: {_WHY[why].format(name=name, most='')}."


_NOT_TAKEN: Final[Mapping[str, Callable[[Facts, str], str]]] = {
    Denial.NOT_OWNER: _not_mine,
    Denial.NOT_MEMBER: _not_mine,
    "no-lease": _reason(_W.OVER),
    "lease-over": lambda f, name: (
        f"I did not take the file: *{name}* is over ({str(f.get('state')).replace('_', ' ')}). Drop it in the thread of a "
        "machine that runs; `/gpu rent` gets one."
    ),
    "leaving": _reason(_W.LEAVING),
    "too-many": lambda _f, _name: (
        f"I take {FILES_AT_MOST} files of one message at most, and took none of these. An archive (`.tar.gz`, `.zip`) is one file."
    ),
    **{why.value: _reason(why) for why in (_W.STOPPED, _W.UNFIT, _W.LEAVING)},
}

REFUSALS: Final[Mapping[str, Callable[[Facts], str]]] = {
    "file-not-taken": not_taken_words,
    "file-answered": answered_words,
    "files-off": lambda _: "I do not take files dropped in threads any more; whoever runs me can switch that on.",
}
"""For the catalogue of refusals."""
