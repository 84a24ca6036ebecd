"""Secrets that people keep here for their jobs."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KeptSecret:
    """One person's secret. ``name`` is the variable it is handed over in; ``sealed`` its value, encrypted at rest."""

    owner: str
    name: str
    sealed: str
    set_at: datetime
