"""Money, spans, moments and machines in words; always with their unit."""

from datetime import datetime

from bot.domain.gpus import MODELS
from bot.domain.money import usd
from bot.domain.offers import Offer


def dollars(microusd: int) -> str:
    """``$5.16``; a sum that rounds to nothing, but is not, is ``under $0.01``."""
    shown = usd(microusd)
    return "under $0.01" if shown == 0 and microusd > 0 else f"${shown:,}"


def hourly(microusd_per_hour: int) -> str:
    """``$1.29 an hour``; prices under a cent keep what it takes to see them."""
    if 0 < microusd_per_hour < 10_000:
        return f"${microusd_per_hour / 1_000_000:.4f} an hour"
    return f"${usd(microusd_per_hour):,} an hour"


def span(seconds: float) -> str:
    """``45 s``, ``5 min``, ``1 h 30 min``, ``2 d 4 h``: two units at most."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, hours, days = whole // 60, whole // 3600, whole // 86400
    if minutes < 60:
        return f"{minutes} min"
    if hours < 48:
        return f"{hours} h {minutes % 60} min" if minutes % 60 else f"{hours} h"
    return f"{days} d {hours % 24} h" if hours % 24 else f"{days} d"


def moment(at: datetime) -> str:
    """A moment that every reader sees in their own zone and day; nothing has to count down."""
    fallback = at.strftime("%Y-%m-%d %H:%M UTC")
    return f"<!date^{int(at.timestamp())}^{{date_short_pretty}} {{time}}|{fallback}>"


def gpu_label(key: str) -> str:
    """A model's name for people; a key that is not in the catalogue stands for itself."""
    model = MODELS.get(key)
    return model.label if model is not None else key


def machine(offer: Offer) -> str:
    """``2× H100 80GB (simulated)``."""
    label = gpu_label(offer.gpu)
    counted = label if offer.gpu == "cpu" else f"{offer.gpu_count}× {label}"
    return f"{counted} (simulated)" if offer.simulated else counted


def where(offer: Offer) -> str:
    """``local, here-1``."""
    return f"{offer.provider}, {offer.region}" if offer.region else offer.provider
