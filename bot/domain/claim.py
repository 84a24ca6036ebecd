"""Claims: who does which duty for which thing right now."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Duty(StrEnum):
    """Kinds of work that do not hold each other up."""

    LEASE = "lease"
    MESSAGE = "message"
    NOTICE = "notice"
    OFFERS = "offers"
    CHECK = "check"
    USE = "use"
    INVENTORY = "inventory"
    LIST = "list"
    SYNC = "sync"
    FETCH = "fetch"
    DISK = "disk"
    DROP = "drop"
    JOB = "job"
    RUN = "run"
    LOG = "log"
    CURVE = "curve"
    PICTURE = "picture"
    HOME = "home"
    ENDING = "ending"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to apply a result. ``token`` is the fencing token: it grows each time the duty changes hands."""

    thing: str
    duty: Duty
    holder: str
    token: int
    expires_at: datetime
