"""The audit: who did what to which machine; rows are only ever added."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act. ``actor`` is a user id, or ``gpubot`` for what a rule did."""

    at: datetime
    actor: str
    action: str
    lease_id: str | None
    facts: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
