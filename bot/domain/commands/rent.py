"""``rent`` and ``offers``: a GPU, for how long, and where."""

import re
from dataclasses import dataclass

from bot.domain.commands.arguments import LEASE, Arguments, ParseContext, fold_name, read_arguments, read_lease
from bot.domain.commands.lengths import read_duration, take_duration
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb
from bot.domain.durations import Duration
from bot.domain.gpus import GpuFault, GpuRequest, nearest_gpus, parse_gpu

MIN_DISK_GIB = 1
MAX_DISK_GIB = 16 * 1024


@dataclass(frozen=True, slots=True)
class Rent:
    """Rent a machine. ``disk_gib`` is the data disk; ``provider`` lower case, not checked to exist."""

    gpu: GpuRequest
    duration: Duration
    name: str | None = None
    disk_gib: int | None = None
    disk: str | None = None
    """The name of a kept disk, in place of a new one."""
    provider: str | None = None
    region: str | None = None


@dataclass(frozen=True, slots=True)
class RentForm:
    """``rent`` without anything: show the form."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What can be rented now; every GPU if ``gpu`` is None."""

    gpu: GpuRequest | None


_OPTIONS = frozenset({"name", "disk", "provider", "region"})
_MOST_WORDS = 10
_WORDS_IN_A_GPU = 4
_DISK = re.compile(r"([0-9]{1,9}) ?(g|gb|gib|t|tb|tib)?")
_PROVIDER = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_REGION = re.compile(r"[A-Za-z0-9][\w.-]{0,62}", re.ASCII)


def parse_rent(line: Line, context: ParseContext) -> Rent | RentForm:
    """GPU and length in either order, options anywhere."""
    text = re.sub(r"(?<!\S)until=", "until ", line.plain)
    arguments = read_arguments(text, Verb.RENT, options=_OPTIONS)
    if not arguments.words and not arguments.options:
        return RentForm()
    duration = take_duration(arguments, context)
    gpu = _take_gpu(arguments)
    if gpu is None:
        raise refused(RefusalCode.MISSING_GPU, Verb.RENT)
    if duration is None:
        if arguments.words:
            read_duration(arguments.words[0], Verb.RENT)  # says what is wrong with it
        raise refused(RefusalCode.MISSING_DURATION, Verb.RENT, suggestion=f"rent {gpu.spelling} 4h")
    arguments.done()
    name = arguments.option("name")
    disk = arguments.option("disk")
    return Rent(
        gpu,
        duration,
        name=None if name is None else read_lease(name, Verb.RENT),
        disk_gib=None if disk is None or is_disk_name(disk) else read_disk(disk),
        disk=fold_name(disk) if disk is not None and is_disk_name(disk) else None,
        provider=_read_place(arguments, "provider", _PROVIDER),
        region=_read_place(arguments, "region", _REGION),
    )


def parse_offers(line: Line, _context: ParseContext) -> Offers:
    """``offers`` or ``offers a100``."""
    arguments = read_arguments(line.plain, Verb.OFFERS)
    gpu = _take_gpu(arguments)
    arguments.done()
    return Offers(gpu)


def is_disk_name(value: str) -> bool:
    """Sizes begin with a digit, names of disks with a letter."""
    return bool(LEASE.fullmatch(fold_name(value)))


def read_disk(value: str) -> int:
    """A size of disk in GiB, or a refusal."""
    found = _DISK.fullmatch(value.lower())
    disk_gib = int(found[1]) * (1024 if (found[2] or "").startswith("t") else 1) if found else 0
    if not MIN_DISK_GIB <= disk_gib <= MAX_DISK_GIB:
        raise refused(RefusalCode.BAD_DISK, Verb.RENT, value, option="disk", low=MIN_DISK_GIB, high=MAX_DISK_GIB)
    return disk_gib


def _take_gpu(arguments: Arguments) -> GpuRequest | None:
    """The longest run of words that names a GPU; the words around it stay for whoever knows what they are."""
    words = arguments.words
    if len(words) > _MOST_WORDS:
        raise refused(RefusalCode.EXTRA_WORD, arguments.verb, words[_MOST_WORDS])
    for length in range(min(_WORDS_IN_A_GPU, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            parsed = parse_gpu(" ".join(words[start : start + length]))
            if isinstance(parsed, GpuRequest):
                del words[start : start + length]
                return parsed
            if parsed.fault is GpuFault.COUNT:
                raise refused(
                    RefusalCode.GPU_COUNT,
                    arguments.verb,
                    parsed.word,
                    nearest=parsed.nearest,
                    low=1,
                    high=parsed.max_count,
                )
    if words:
        unknown = " ".join(words)
        alike = [name for word in (unknown, *words) for name in nearest_gpus(word)]
        raise refused(RefusalCode.UNKNOWN_GPU, arguments.verb, unknown, nearest=tuple(dict.fromkeys(alike))[:3])
    return None


def _read_place(arguments: Arguments, key: str, shape: re.Pattern[str]) -> str | None:
    value = arguments.option(key)
    if value is None:
        return None
    folded = value.lower() if key == "provider" else value
    if not shape.fullmatch(folded):
        raise refused(RefusalCode.BAD_OPTION, arguments.verb, value, option=key)
    return folded
