"""The verbs, and which of them a stray word was perhaps meant to be."""

from collections.abc import Iterable
from enum import StrEnum

from rapidfuzz import fuzz, process


class Verb(StrEnum):
    """The first word of a command."""

    RENT = "rent"
    OFFERS = "offers"
    STATUS = "status"
    RUN = "run"
    TRY = "try"
    JOBS = "jobs"
    LOGS = "logs"
    KILL = "kill"
    LOSS = "loss"
    CHECK = "check"
    SYNC = "sync"
    FETCH = "fetch"
    EXTEND = "extend"
    KEEP = "keep"
    STOP = "stop"
    START = "start"
    RELEASE = "release"
    SSH = "ssh"
    KEY = "key"
    COST = "cost"
    POLICY = "policy"
    AUDIT = "audit"
    DISKS = "disks"
    WATCH = "watch"
    SECRET = "secret"  # noqa: S105  a verb, no secret
    HELP = "help"


# Words of other tools. They are suggested, never obeyed: one word for one thing, and "stop" is not "release".
_ELSEWHERE = {
    "launch": Verb.RENT,
    "create": Verb.RENT,
    "new": Verb.RENT,
    "up": Verb.RENT,
    "terminate": Verb.RELEASE,
    "delete": Verb.RELEASE,
    "destroy": Verb.RELEASE,
    "cancel": Verb.RELEASE,
    "remove": Verb.RELEASE,
    "down": Verb.RELEASE,
    "pause": Verb.STOP,
    "halt": Verb.STOP,
    "shutdown": Verb.STOP,
    "resume": Verb.START,
    "boot": Verb.START,
    "list": Verb.STATUS,
    "ls": Verb.STATUS,
    "show": Verb.STATUS,
    "ps": Verb.JOBS,
    "exec": Verb.RUN,
    "tail": Verb.LOGS,
    "log": Verb.LOGS,
    "curve": Verb.LOSS,
    "plot": Verb.LOSS,
    "login": Verb.SSH,
    "connect": Verb.SSH,
    "gpus": Verb.OFFERS,
    "prices": Verb.OFFERS,
    "price": Verb.OFFERS,
    "bill": Verb.COST,
    "spend": Verb.COST,
    "snooze": Verb.KEEP,
    "backup": Verb.SYNC,
    "upload": Verb.SYNC,
    "download": Verb.FETCH,
    "doctor": Verb.CHECK,
}
_SCORE_CUTOFF = 60
_LONGEST_WORD = 40


def nearest(word: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Up to three of ``choices`` that look like ``word``, best first; empty when none does."""
    folded = word[:_LONGEST_WORD].lower()
    found = process.extract(folded, list(choices), scorer=fuzz.ratio, limit=3, score_cutoff=_SCORE_CUTOFF)
    return tuple(choice for choice, _, _ in found)


def nearest_verbs(word: str) -> tuple[str, ...]:
    """The verbs that ``word`` was perhaps meant to be, by other tools' words first, then by looks."""
    known = _ELSEWHERE.get(word.lower())
    alike = nearest(word, Verb)
    return (known, *(verb for verb in alike if verb != known))[:3] if known else alike
