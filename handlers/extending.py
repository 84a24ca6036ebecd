"""The buttons that make a lease longer, with what that costs."""

from collections.abc import Iterator
from typing import Final

from slack_sdk.models.blocks import ButtonElement

from bot.domain.lease import Lease
from bot.domain.offers import quote_microusd
from handlers.action_ids import ActionId
from handlers.blocks import button
from handlers.words.figures import dollars, span

EXTEND_BY_S: Final = 3600
EXTEND_LONG_BY_S: Final = 4 * 3600


def extend_buttons(lease: Lease) -> Iterator[ButtonElement]:
    """One hour and four."""
    for action, by_s in ((ActionId.LEASE_EXTEND, EXTEND_BY_S), (ActionId.LEASE_EXTEND_LONG, EXTEND_LONG_BY_S)):
        yield button(action, f"Extend {span(by_s)} ({dollars(quote_microusd(lease.offer, by_s))})", lease.id)


def extend_for_job(job_id: str, lease: Lease, by_s: int) -> ButtonElement:
    """As much as a job needs. What was shown goes along: a press takes that time at that price, or nothing."""
    label = f"Extend {span(by_s)} ({dollars(quote_microusd(lease.offer, by_s))})"
    return button(ActionId.JOB_EXTEND, label, f"{job_id}:{by_s}")
