"""Why a run failed, for the notice of its end: the cause, its last lines, and a bigger card where that helps."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.domain.jobs.causes import CauseKind, cause_of, error_lines
from bot.domain.jobs.ending import Ending, EndingKind
from bot.domain.offers import Offer, cheapest_first, in_stock
from bot.domain.problem import Facts

LAST_LINES: Final = 3
READ_LINES: Final = 200
_OF_ITSELF: Final = frozenset(
    {EndingKind.EXITED, EndingKind.SIGNALLED, EndingKind.OUT_OF_MEMORY, EndingKind.DISK_FULL, EndingKind.LOST}
)


def failure_facts(ending: Ending, lines: Sequence[str], offer: Offer, offers: Iterable[Offer]) -> Facts:
    """What its notice tells besides. Nothing of what ended well, or by somebody's wish."""
    if ending.is_success or ending.kind not in _OF_ITSELF:
        return {}
    cause = cause_of(ending, lines)
    facts: dict[str, str | int | float | bool | None] = {
        "said": "\n".join(error_lines(lines, LAST_LINES) or lines[-LAST_LINES:])
    }
    if cause is None:
        return facts
    facts |= {"cause": cause.kind.value, "cause_what": cause.what, "cause_detail": cause.detail}
    bigger = _bigger(offer, offers) if cause.kind is CauseKind.GPU_MEMORY else None
    if bigger is not None:
        facts |= {
            "bigger": bigger.gpu,
            "bigger_count": bigger.gpu_count,
            "bigger_gib": bigger.gpu_memory_gib,
            "bigger_rate": bigger.price_microusd_per_hour,
            "bigger_simulated": bigger.simulated,
        }
    return facts


def _bigger(offer: Offer, offers: Iterable[Offer]) -> Offer | None:
    """The cheapest that can be had with as many cards of more memory."""
    roomier = (
        other
        for other in in_stock(offers)
        if other.gpu_memory_gib > offer.gpu_memory_gib > 0 and other.gpu_count == offer.gpu_count
    )
    return next(iter(cheapest_first(roomier)), None)
