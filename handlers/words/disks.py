"""Kept data disks in words: where they are, what they cost, and what became of a wish about one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.domain.departure import ReleaseAnswer
from bot.domain.disk import Disk, DiskState
from bot.domain.lease import Lease
from bot.domain.problem import Facts
from bot.domain.views import DiskView
from handlers.words.figures import dollars, hourly, moment
from handlers.words.text import plain

_S = DiskState
HOURS_A_MONTH: Final = 730
_STATES: Final[Mapping[DiskState, str]] = {
    _S.LEAVING: "kept when *{lease}* is released; until then it costs nothing of its own",
    _S.KEPT: "kept since {since}, last on *{lease}*",
    _S.ATTACHED: "on *{lease}* now, within that machine's price",
    _S.DELETING: "being deleted",
    _S.DELETED: "deleted",
    _S.LOST: "gone at the provider, and not by my doing",
}


def disks_words(views: Sequence[DiskView], *, of_all: bool = False) -> str:
    """A line or two each; ``of_all``: the whole team's, with their owners."""
    if not views and of_all:
        return "Nobody has a kept disk."
    if not views:
        return (
            "You have no kept disks. `/gpu release NAME --keep-disk` keeps a machine's data disk; "
            "`/gpu rent GPU DURATION disk=NAME` gives it to another one."
        )
    lines = [line for view in views for line in _lines(view, names_owners=of_all)]
    if len(views) > 1:
        rate = sum(view.disk.rate_microusd_per_hour for view in views if view.disk.state in (_S.KEPT, _S.DELETING))
        lines.append(f"{len(views)} disks, {hourly(rate)} now, {dollars(sum(v.cost_microusd for v in views))} so far.")
    return "\n".join(lines)


def asked_words(disk: Disk) -> str:
    """A deletion that was asked for."""
    return f"The question whether *{disk.name}* may be deleted is in the thread of the machine that had it last."


def disk_answer(answer: ReleaseAnswer, name: str) -> str:
    """What became of an answer that was given in a direct message."""
    match answer:
        case ReleaseAnswer.KEPT:
            return f"The disk *{name}* is kept."
        case ReleaseAnswer.ALREADY_LEAVING:
            return f"The disk *{name}* is being deleted already."
        case _:
            return f"The disk *{name}* will be deleted. ❌ takes it back while the question shows it."


def keeping_costs(rate_microusd_per_hour: int) -> str:
    """What a disk costs while no machine has it, by the hour and by the month."""
    return f"{hourly(rate_microusd_per_hour)}, about {dollars(rate_microusd_per_hour * HOURS_A_MONTH)} a month"


def kept_words(facts: Facts, lease_name: str) -> str:
    """It came to be kept."""
    rate = facts.get("rate_microusd_per_hour")
    costs = keeping_costs(rate) if isinstance(rate, int) else "as listed"
    name = plain(str(facts.get("disk")))
    return (
        f"The data disk of *{lease_name}* is kept as *{name}* ({facts.get('size_gib')} GiB) and costs {costs} until it is "
        f"deleted. `/gpu rent GPU DURATION disk={name}` gives it to a machine; `/gpu disks delete {name}` deletes it."
    )


def _lines(view: DiskView, *, names_owners: bool) -> Iterator[str]:
    disk = view.disk
    where = f"{disk.provider}, {disk.region}" if disk.region else disk.provider
    cost = f"{keeping_costs(disk.rate_microusd_per_hour)}, {dollars(view.cost_microusd)} so far"
    whose = f" of <@{disk.owner}>" if names_owners else ""
    yield f"• *{disk.name}*{whose}: {disk.size_gib} GiB at {where}, {disk_state(disk, view.lease)}. {cost}."
    if disk.fault is not None:
        yield f"  :warning: the provider could not be asked just now (`{plain(disk.fault)}`)."
    if view.is_asked and disk.state is _S.KEPT:
        yield "  Whether it is deleted is asked; ✅ or ❌ on the question."


def disk_state(disk: Disk, lease: Lease) -> str:
    """Where it is on its way."""
    return _STATES[disk.state].format(since=moment(disk.since), lease=lease.name)
