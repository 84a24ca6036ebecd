"""Problems: what keeps a lease from what was wanted, as a code and facts that `handlers.words` explains."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Facts = Mapping[str, str | int | float | bool | None]
"""Plain values by name: what a sentence is filled with."""


@dataclass(frozen=True, slots=True)
class Problem:
    """``code`` picks the sentence; ``facts`` are plain values to fill it with."""

    code: str
    facts: Facts = field(default_factory=dict)
