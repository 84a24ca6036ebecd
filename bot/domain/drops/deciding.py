"""What is done with a dropped file next: whether its machine can have it, and what it finds under its name."""

from dataclasses import dataclass

from bot.domain.drops.drop import Choice, DroppedFile, Entry, EntryKind, WhyNot
from bot.domain.lease import Lease, LeaseState, Want

_S = LeaseState
_REFUSED_IN = {_S.STOPPING: WhyNot.STOPPED, _S.STOPPED: WhyNot.STOPPED, _S.UNFIT: WhyNot.UNFIT}


@dataclass(frozen=True, slots=True)
class Put:
    """Put it there. ``aside``: what has its name is moved away first."""

    aside: bool = False


@dataclass(frozen=True, slots=True)
class PutBeside:
    """Put it there under the next name that is free."""


@dataclass(frozen=True, slots=True)
class AskFirst:
    """Something is there: a person has to say what happens to it."""

    there: Entry


@dataclass(frozen=True, slots=True)
class IsThere:
    """It is there already: the bot ended in the instant after it had put it there."""


Move = Put | PutBeside | AskFirst | IsThere


def held_up_by(lease: Lease) -> WhyNot | None:
    """Why the lease's machine takes no files now; None: it does. Only `WhyNot.BOOTING` passes by itself.

    Nothing is put on a machine that is being released: what its last inventory did not see would be lost with it.
    """
    if not lease.is_live:
        return WhyNot.OVER
    if lease.want is Want.RELEASED or lease.is_leaving or lease.is_fenced:
        return WhyNot.LEAVING
    if lease.state in _REFUSED_IN:
        return _REFUSED_IN[lease.state]
    if lease.want is Want.STOPPED:
        return WhyNot.STOPPED
    return None if lease.state is _S.READY and lease.address is not None else WhyNot.BOOTING


def next_move(file: DroppedFile, there: Entry | None) -> Move:
    """``there``: what has the name under which it is to be put.

    Replacing never destroys: what is there may be the only copy of something, and whoever drops a file may not be who
    wrote it. It is moved aside under a name that says when, and its owner deletes it.
    """
    if there is None:
        return Put()
    if file.stamp is not None and _is_ours(file, there):
        return IsThere()
    match file.choice:
        case Choice.REPLACE:
            return Put(aside=True)
        case Choice.BOTH:
            return PutBeside()
        case _:
            return AskFirst(there)


def _is_ours(file: DroppedFile, there: Entry) -> bool:
    return there == Entry(EntryKind.FILE, file.size_bytes, file.stamp or 0)
