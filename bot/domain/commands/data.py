"""``sync``, ``fetch``, ``disks`` and ``secret``."""

import re
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.commands.arguments import LEASE, Arguments, ParseContext, fold_name, split
from bot.domain.commands.leases import OneLease
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb, nearest


@dataclass(frozen=True, slots=True)
class Sync:
    """Copy to the archive and verify: these paths on the machine, or everything that is watched."""

    name: str | None
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fetch:
    """List (no ``path``) or get what the archive holds of a lease, dead or alive."""

    lease: str | None
    path: str | None


class Disks(OneLease):
    """Disks that are kept and cost, of one lease or of all."""


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


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def parse_sync(line: Line, _context: ParseContext) -> Sync:
    """``sync``, ``sync amber-fox``, ``sync amber-fox /data/out "/data/my runs"``, ``sync ./out``."""
    # No options here: "lr=3" may well be a folder's name.
    arguments = Arguments(Verb.SYNC, split(line.plain, Verb.SYNC))
    name = arguments.take(lambda word: bool(LEASE.fullmatch(fold_name(word))))
    return Sync(name and fold_name(name), tuple(word for word in arguments.words if word))


def parse_fetch(line: Line, _context: ParseContext) -> Fetch:
    """``fetch amber-fox``, ``fetch amber-fox out/model.pt``, ``fetch ./out`` in a lease's thread."""
    arguments = Arguments(Verb.FETCH, split(line.plain, Verb.FETCH))
    name = arguments.take(lambda word: bool(LEASE.fullmatch(fold_name(word))))
    path = arguments.take(bool)
    arguments.done()
    return Fetch(name and fold_name(name), path)


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
    if not rest or not _VARIABLE.fullmatch(rest[0]):
        raise refused(RefusalCode.BAD_OPTION, Verb.SECRET, option="name")
    return Secret(action, rest[0])
