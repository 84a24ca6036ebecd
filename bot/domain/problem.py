"""Problems: what keeps a lease from what was wanted, as a code and facts that `handlers.words` explains."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """``code`` picks the sentence; ``facts`` are plain values to fill it with."""

    code: str
    facts: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
