"""The audit: who did what to which machine; rows are only ever added."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.problem import Facts


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act. ``actor`` is a user id, or ``gpubot`` for what a rule did."""

    at: datetime
    actor: str
    action: str
    lease_id: str | None
    facts: Facts = field(default_factory=dict)
