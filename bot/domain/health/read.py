"""From the script's output to a checklist."""

from datetime import datetime

from bot.domain.checklist import Checklist, Item, Line, Verdict
from bot.domain.health.codes import Code
from bot.domain.health.disks import data_disk, disk_space, disk_writable
from bot.domain.health.expected import Expected
from bot.domain.health.framework import framework, versions
from bot.domain.health.gpus import gpu
from bot.domain.health.output import Seen, read_output


def read_health(text: str, expected: Expected, at: datetime) -> Checklist:
    """The checklist of one look. ``text`` is what ``health.sh`` printed; any text gives a checklist, and what it
    does not say is unknown."""
    seen = read_output(text)
    lines = (
        _ssh(seen),
        data_disk(seen, expected.volume_id),
        disk_writable(seen),
        disk_space(seen),
        gpu(seen, expected),
        framework(seen, expected),
        versions(seen, expected),
        _network(seen, expected),
    )
    return Checklist(tuple(line for line in lines if line is not None), at)


def read_greeting(text: str, at: datetime) -> Checklist:
    """The one line of a login alone: it let us in and ran the script."""
    return Checklist((_ssh(read_output(text)),), at)


def unreachable(expected: Expected, words: str, at: datetime) -> Checklist:
    """Nobody could log in: nothing is ok, and nothing has failed."""
    items = [Item.DATA_DISK, Item.DISK_WRITABLE, *([Item.GPU] if expected.gpu_count else []), Item.FRAMEWORK]
    unseen = tuple(Line(item, Verdict.UNKNOWN, Code.NO_ANSWER) for item in items)
    return Checklist((Line(Item.SSH, Verdict.UNKNOWN, Code.NO_ANSWER, words), *unseen), at)


def _ssh(seen: Seen) -> Line:
    return Line(Item.SSH, Verdict.OK, Code.ANSWERED, seen["user"])


def _network(seen: Seen, expected: Expected) -> Line | None:
    """None where no address was given to ask."""
    match seen["net"]:
        case "ok":
            return Line(Item.NETWORK, Verdict.OK, Code.ANSWERS_OUT, seen["net_seen"])
        case "failed":
            code = Code.OFFLINE_HERE if expected.on_this_computer else Code.NO_WAY_OUT
            return Line(Item.NETWORK, Verdict.WARN, code, seen["net_seen"])
        case "not-asked":
            return None
    if "net" in seen.timed_out:
        return Line(Item.NETWORK, Verdict.UNKNOWN, Code.TIMED_OUT, "")
    return Line(Item.NETWORK, Verdict.UNKNOWN, Code.NOT_SEEN, "")
