"""``sync``, ``watch``, ``fetch``, ``disks`` and ``secret``."""

import re
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.commands.arguments import LEASE, Arguments, ParseContext, fold_name, read_arguments, words_of
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb, nearest


@dataclass(frozen=True, slots=True)
class Sync:
    """Copy to the archive and verify: these paths on the machine, or everything that is watched."""

    name: str | None
    paths: tuple[str, ...]


class WatchAction(StrEnum):
    """What is done with paths on a machine."""

    ADD = "add"
    """They are looked at, counted and copied as well."""
    SKIP = "skip"
    """They can be had again: named with their size, but neither asked about nor copied."""
    REMOVE = "remove"
    """Neither any longer."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What is watched on a lease's machine; listed where no ``paths`` are given."""

    name: str | None
    paths: tuple[str, ...] = ()
    action: WatchAction = WatchAction.ADD


@dataclass(frozen=True, slots=True)
class Fetch:
    """List (no ``path``) or get what the archive holds of a lease, dead or alive."""

    lease: str | None
    path: str | None


@dataclass(frozen=True, slots=True)
class Disks:
    """Disks that are kept and cost: one's own, the one of that name, or everybody's."""

    name: str | None
    of_all: bool = False


@dataclass(frozen=True, slots=True)
class DiskDelete:
    """Have a kept disk deleted, after a question."""

    name: str


class SecretAction(StrEnum):
    """What is done with a secret; its value never travels in a command."""

    LIST = "list"
    SET = "set"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Secret:
    """``name`` is an environment variable's, None for ``list`` only."""

    action: SecretAction
    name: str | None


_ARCHIVED = re.compile(r"[a-z][a-z0-9-]{1,47}")
"""A lease's name, or that and its id: of several leases that had one name each has its own folder."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def parse_sync(line: Line, _context: ParseContext) -> Sync:
    """``sync``, ``sync amber-fox``, ``sync amber-fox /data/out "/data/my runs"``, ``sync ./out``."""
    name, words = _lease_and_paths(line, Verb.SYNC)
    return Sync(name, tuple(words))


def parse_watch(line: Line, _context: ParseContext) -> Watch:
    """``watch amber-fox``, ``watch amber-fox /scratch/out``, ``watch --skip ~/data``, ``watch --remove x``."""
    name, words = _lease_and_paths(line, Verb.WATCH)
    action = WatchAction.ADD
    flags = {f"--{flag}": flag for flag in (WatchAction.SKIP, WatchAction.REMOVE)}
    if words and words[0].startswith("--"):
        word = words.pop(0)
        if word.lower() not in flags:
            raise refused(RefusalCode.UNKNOWN_OPTION, Verb.WATCH, word, option=word, nearest=nearest(word, flags))
        action = flags[word.lower()]
        if not words:
            raise refused(RefusalCode.MISSING_PATH, Verb.WATCH)
    return Watch(name, tuple(words), action)


def parse_fetch(line: Line, _context: ParseContext) -> Fetch:
    """``fetch amber-fox``, ``fetch amber-fox out/model.pt``, ``fetch ./out`` in a lease's thread."""
    name, words = _lease_and_paths(line, Verb.FETCH, _ARCHIVED)
    arguments = Arguments(Verb.FETCH, words)
    path = arguments.take(bool)
    arguments.done()
    return Fetch(name, path)


def _lease_and_paths(line: Line, verb: Verb, lease: re.Pattern[str] = LEASE) -> tuple[str | None, list[str]]:
    # No options here: "lr=3" may well be a folder's name.
    arguments = Arguments(verb, words_of(line, verb))
    name = arguments.take(lambda word: bool(lease.fullmatch(fold_name(word))))
    return name and fold_name(name), [word for word in arguments.words if word]


def parse_disks(line: Line, _context: ParseContext) -> Disks | DiskDelete:
    """``disks``, ``disks all``, ``disks models``, ``disks delete models``."""
    arguments = read_arguments(line.plain, Verb.DISKS)
    deletes = arguments.take(lambda word: word.lower() in ("delete", "remove")) is not None
    of_all = not deletes and arguments.take(lambda word: word.lower() == "all") is not None
    name = None if of_all else arguments.take_lease()
    arguments.done()
    if deletes and name is None:
        raise refused(RefusalCode.MISSING_DISK, Verb.DISKS)
    if of_all:
        return Disks(None, of_all=True)
    return DiskDelete(name) if deletes and name is not None else Disks(name)


def parse_secret(line: Line, _context: ParseContext) -> Secret:
    """``secret list``, ``secret set HF_TOKEN``, ``secret remove HF_TOKEN``. A value is refused."""
    head, *rest = line.plain.split(maxsplit=2) or ["list"]
    if head.lower() not in list(SecretAction):
        # not echoed: it may be the secret itself
        raise refused(RefusalCode.UNKNOWN_ACTION, Verb.SECRET, nearest=nearest(head, SecretAction))
    action = SecretAction(head.lower())
    if action is SecretAction.LIST:
        if rest:
            raise refused(RefusalCode.SECRET_SHOWN, Verb.SECRET)
        return Secret(action, None)
    if len(rest) > 1 or (rest and "=" in rest[0]):
        raise refused(RefusalCode.SECRET_SHOWN, Verb.SECRET)
    if not rest:
        raise refused(RefusalCode.MISSING_NAME, Verb.SECRET, suggestion=f"secret {action} HF_TOKEN")
    if not _VARIABLE.fullmatch(rest[0]):
        raise refused(RefusalCode.BAD_NAME, Verb.SECRET)
    return Secret(action, rest[0])
