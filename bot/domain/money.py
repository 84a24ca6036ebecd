"""Money: integer micro-dollars, rounded once, half to even, where it is shown."""

from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal

MICROUSD_PER_USD = 1_000_000
_SECONDS_PER_HOUR = 3600


def cost_microusd(rate_microusd_per_hour: int, seconds: float) -> int:
    """What ``seconds`` at the rate come to. Negative spans (a clock that jumped) cost nothing."""
    micros = Decimal(max(0, round(seconds * 1_000_000)))
    exact = Decimal(rate_microusd_per_hour) * micros / (_SECONDS_PER_HOUR * 1_000_000)
    return int(exact.to_integral_value(ROUND_HALF_EVEN))


def between_microusd(rate_microusd_per_hour: int, start: datetime, end: datetime) -> int:
    """What the span from ``start`` to ``end`` comes to at the rate."""
    return cost_microusd(rate_microusd_per_hour, (end - start).total_seconds())


def usd(microusd: int) -> Decimal:
    """Dollars and cents for showing, half to even."""
    return (Decimal(microusd) / MICROUSD_PER_USD).quantize(Decimal("0.01"), ROUND_HALF_EVEN)


def from_usd(dollars: Decimal) -> int:
    """Micro-dollars of a price a person wrote in dollars."""
    return int((dollars * MICROUSD_PER_USD).to_integral_value(ROUND_HALF_EVEN))
