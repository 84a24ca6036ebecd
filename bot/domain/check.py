"""A checklist that somebody asked for: the wish, until it is fulfilled."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class CheckAsked:
    """One wish; open while ``done_at`` is None."""

    id: str
    lease_id: str
    asked_by: str
    asked_at: datetime
    done_at: datetime | None = None
