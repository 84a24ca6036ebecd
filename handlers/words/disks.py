"""Kept data disks in words: where they are, what they cost, and the question before one is deleted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.domain.disk import Disk, DiskState
from bot.domain.problem import Facts
from bot.domain.views import DiskView
from handlers.words.figures import dollars, hourly, moment, span
from handlers.words.paths import files_words
from handlers.words.text import listed, plain

_S = DiskState
_UNKNOWN: Final = (
    ":grey_question: *What is on it is unknown:* a disk without a machine cannot be looked at. Take it that everything on "
    "it exists nowhere else."
)
_STATES: Final[Mapping[DiskState, str]] = {
    _S.LEAVING: "kept when *{lease}* is released; until then it costs nothing of its own",
    _S.KEPT: "kept since {since}, last on *{lease}*",
    _S.ATTACHED: "on *{lease}* now, within that machine's price",
    _S.DELETING: "being deleted",
    _S.DELETED: "deleted",
    _S.LOST: "gone at the provider, and not by my doing",
}


def disks_words(views: Sequence[DiskView]) -> str:
    """A line or two each."""
    if not views:
        return (
            "You have no kept disks. `/gpu release NAME --keep-disk` keeps a machine's data disk; "
            "`/gpu rent GPU DURATION disk=NAME` gives it to another one."
        )
    lines = [line for view in views for line in _lines(view)]
    if len(views) > 1:
        rate = sum(view.disk.rate_microusd_per_hour for view in views if view.disk.state in (_S.KEPT, _S.DELETING))
        lines.append(f"{len(views)} disks, {hourly(rate)} now, {dollars(sum(v.cost_microusd for v in views))} so far.")
    return "\n".join(lines)


def asked_words(disk: Disk) -> str:
    """A deletion that was asked for."""
    return f"The question whether *{disk.name}* may be deleted is in the thread of the machine that had it last."


def disk_question_words(view: DiskView) -> str:
    """What is asked, or what became of it."""
    disk = view.disk
    name = f"the disk *{disk.name}* ({disk.size_gib} GiB)"
    match disk.state:
        case _S.DELETED:
            return (
                f"<@{disk.answered_by}> approved it: {name} is deleted. It cost {dollars(view.cost_microusd)} in all."
            )
        case _S.DELETING:
            return f"<@{disk.answered_by}> approved it: {name} is being deleted."
        case _S.KEPT if disk.asked_at is not None and disk.answered_at is not None:
            after = f"{span(view.grace_s)} after that ({moment(disk.answered_at)})" if view.grace_s >= 1 else "at once"
            return f"<@{disk.answered_by}> approved it: {name} is deleted {after}; until then ❌ takes it back."
        case _S.KEPT if disk.asked_at is not None:
            return "\n".join(_asked(view, name))
        case _:
            return f"{name[:1].upper()}{name[1:]} is {_state(view)}."


def kept_words(facts: Facts, lease_name: str) -> str:
    """It came to be kept."""
    rate = facts.get("rate_microusd_per_hour")
    costs = hourly(rate) if isinstance(rate, int) else "as listed"
    name = plain(str(facts.get("disk")))
    return (
        f"The data disk of *{lease_name}* is kept as *{name}* ({facts.get('size_gib')} GiB) and costs {costs} until it is "
        f"deleted. `/gpu rent GPU DURATION disk={name}` gives it to a machine; `/gpu disks delete {name}` deletes it."
    )


def _lines(view: DiskView) -> Iterator[str]:
    disk = view.disk
    where = f"{disk.provider}, {disk.region}" if disk.region else disk.provider
    cost = f"{hourly(disk.rate_microusd_per_hour)}, {dollars(view.cost_microusd)} so far"
    yield f"• *{disk.name}*: {disk.size_gib} GiB at {where}, {_state(view)}. {cost}."
    if disk.fault is not None:
        yield f"  :warning: the provider could not be asked just now (`{plain(disk.fault)}`)."
    if disk.asked_at is not None and disk.state is _S.KEPT:
        yield "  Whether it is deleted is asked; ✅ or ❌ on the question."


def _state(view: DiskView) -> str:
    return _STATES[view.disk.state].format(since=moment(view.disk.since), lease=view.lease.name)


def _asked(view: DiskView, name: str) -> Iterator[str]:
    disk = view.disk
    yield f"<@{disk.owner}> Delete {name}, {_state(view)}? <@{disk.asked_by}> asks for it."
    yield _UNKNOWN
    files, size_bytes = view.archived
    held = f"{files_words(files, size_bytes)} with a verified copy" if files else "nothing with a verified copy"
    yield f"The archive holds of *{view.lease.name}*: {held}. That says nothing of what came or changed after the copy."
    approvers = sorted(view.policy.approvers - {disk.owner})
    may = listed([f"<@{user}>" for user in (disk.owner, *approvers)], "or")
    yield f"Keeping it costs {hourly(disk.rate_microusd_per_hour)}. {may} may answer; it stays open until then."
