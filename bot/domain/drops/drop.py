"""What somebody dropped into a machine's thread: what is to become of each file, and what became of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from bot.domain.errand import Errand
from bot.domain.places import MessageRef

FOLDER: Final = "work"
"""Where they land, below the login home."""
FILES_AT_MOST: Final = 20
"""Of one message: each may need a question of its own in the answer."""
TRIES_AT_MOST: Final = 8
ANSWERED_WITHIN: Final = timedelta(days=1)
LOOK_AGAIN: Final = timedelta(seconds=3)
_RETRY_S: Final = 5.0


class FileState(StrEnum):
    """How far one file is."""

    WAITING = "waiting"
    """It is to be put on the machine."""
    ASKED = "asked"
    """Something of its name is there already; nobody has said what is to happen."""
    PLACED = "placed"
    LEFT = "left"
    """What was there before stays as it is, and this one was not put there."""
    FAILED = "failed"


class Choice(StrEnum):
    """What is to happen where something of that name is there already."""

    REPLACE = "replace"
    BOTH = "both"
    LEAVE = "leave"


class WhyNot(StrEnum):
    """Why a file is not on the machine, or not yet; `handlers.words.drops` says each."""

    GONE = "gone"
    """Slack has it no more."""
    SCOPE = "scope"
    """The bot may not read files."""
    ELSEWHERE = "elsewhere"
    """It does not lie in Slack: a link to somebody else's server, or a page of Slack's own."""
    WITHHELD = "withheld"
    """Slack has it and does not give it to us."""
    TOO_LARGE = "too-large"
    NOT_SENT = "not-sent"
    """Slack did not send it, or not whole."""
    BOOTING = "booting"
    UNREACHABLE = "unreachable"
    DISK_FULL = "disk-full"
    NOT_WRITABLE = "not-writable"
    NO_SFTP = "no-sftp"
    STOPPED = "stopped"
    UNFIT = "unfit"
    LEAVING = "leaving"
    OVER = "over"
    UNANSWERED = "unanswered"


class EntryKind(StrEnum):
    """What a name in a folder stands for."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is there under a name; a link is not followed. ``changed_at`` is in Unix seconds."""

    kind: EntryKind
    size_bytes: int
    changed_at: int


@dataclass(frozen=True, slots=True)
class DroppedFile:
    """One file. ``id`` is Slack's."""

    id: str
    state: FileState = FileState.WAITING
    name: str = ""
    """As the machine is to have it; empty until it was looked up."""
    size_bytes: int = 0
    why: WhyNot | None = None
    there: Entry | None = None
    """What had its name when it was asked about."""
    choice: Choice | None = None
    chosen_by: str | None = None
    placed_as: str = ""
    """The name under which it is put, or was; empty: not decided."""
    aside: str = ""
    """The name that what was there before gets, or got."""
    part: str = ""
    """The name under which it is being written."""
    stamp: int | None = None
    """When its last byte was written, by the machine's clock. With its size it tells, after a crash, our own file from
    somebody else's of the same name."""

    def evolve(self, **changes: Any) -> "DroppedFile":
        """A copy with ``changes``."""
        return replace(self, **changes)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state not in (FileState.WAITING, FileState.ASKED)


@dataclass(frozen=True, slots=True)
class Drop(Errand):
    """The files of one message. ``thread``: where it was said, and where it is answered."""

    id: str
    lease_id: str
    thread: MessageRef
    asked_by: str
    asked_at: datetime
    files: tuple[DroppedFile, ...]
    tries: int = 0
    """In a row that came to nothing, of machine or Slack alike."""
    told_as: str = ""
    """`shown` as of the message that is out."""

    def with_file(self, index: int, file: DroppedFile) -> "Drop":
        """A copy in which that file is another; the others are as they are."""
        return self.evolve(files=(*self.files[:index], file, *self.files[index + 1 :]))

    def waiting(self) -> Iterator[tuple[int, DroppedFile]]:
        """Those that are to be put on the machine."""
        return ((n, file) for n, file in enumerate(self.files) if file.state is FileState.WAITING)

    @property
    def shown(self) -> str:
        """What its message depends on: the same text, the same message."""
        return ";".join(
            f"{file.state}.{file.why or ''}.{file.there.changed_at if file.there else ''}" for file in self.files
        )

    @property
    def left_over(self) -> tuple[str, ...]:
        """Names of what was begun, will not go on, and could not be put away: the machine answered no more."""
        return () if self.ended_at is None else tuple(file.part for file in self.files if file.part)

    def tidied(self) -> "Drop":
        """Nothing of it is left over."""
        return self.evolve(files=tuple(file.evolve(part="") for file in self.files))

    def held_up(self, why: WhyNot, *, counts: bool) -> "Drop":
        """What waits goes on waiting, for that reason; ``counts``: one more try came to nothing, and not for ever."""
        tries = self.tries + counts
        state = FileState.FAILED if tries >= TRIES_AT_MOST else FileState.WAITING
        return self.evolve(tries=tries, files=tuple(_if_waiting(f, state, why) for f in self.files))

    def given_up(self, why: WhyNot) -> "Drop":
        """Nothing more is put on that machine."""
        return self.evolve(
            files=tuple(f if f.is_settled else f.evolve(state=FileState.FAILED, why=why) for f in self.files)
        )

    def unanswered(self, now: datetime) -> "Drop":
        """What nobody answered for a day stays as it is."""
        if now < self.asked_at + ANSWERED_WITHIN:
            return self
        files = (
            f.evolve(state=FileState.LEFT, why=WhyNot.UNANSWERED) if f.state is FileState.ASKED else f
            for f in self.files
        )
        return self.evolve(files=tuple(files))

    def planned(self, now: datetime) -> "Drop":
        """With what comes next: telling, another try, an answer, or nothing any more."""
        if all(file.is_settled for file in self.files) and self.shown == self.told_as:
            return self.evolve(ended_at=now)
        if self.shown != self.told_as or any(file.why is None for _, file in self.waiting()):
            return self.evolve(next_try_at=now)
        if any(self.waiting()):
            wait = timedelta(seconds=_RETRY_S * 2**self.tries) if self.tries else LOOK_AGAIN
            return self.evolve(next_try_at=now + wait)
        return self.evolve(next_try_at=max(now, self.asked_at + ANSWERED_WITHIN))


def _if_waiting(file: DroppedFile, state: FileState, why: WhyNot) -> DroppedFile:
    return file.evolve(state=state, why=why) if file.state is FileState.WAITING else file
