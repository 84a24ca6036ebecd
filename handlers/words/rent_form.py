"""The rent form in words: its labels, what it costs, and why it cannot be opened."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.domain.disk import Disk
from bot.domain.offers import Offer
from bot.domain.ordering import DEFAULT_DISK_GIB, Priced
from bot.domain.policy import Policy
from bot.domain.quote import QuoteReason
from handlers.action_ids import RentField
from handlers.words.figures import dollars, hourly, machine, moment, span, where

TITLE: Final = "Rent a machine"
SUBMIT: Final = "Rent"
CLOSE: Final = "Not now"
OPEN: Final = "Open the form"
ANY_PROVIDER: Final = "Any, the cheapest first"
NEW_DISK: Final = "A new one"
OFFER_FORM: Final = "The form shows what there is and what it costs in whole. Typed, it is one line: `rent a100 4h`."
LABELS: Final[Mapping[RentField, str]] = {
    RentField.MACHINE: "Machine",
    RentField.LENGTH: "For how long",
    RentField.OTHER_LENGTH: "Another length or end",
    RentField.DISK: "Disk",
    RentField.DATA_DISK: "Data disk",
    RentField.NAME: "Name",
    RentField.PROVIDER: "Provider",
}
EXAMPLES: Final[Mapping[RentField, str]] = {
    RentField.OTHER_LENGTH: "90m, 1d12h, until 18:00",
    RentField.DISK: f"{DEFAULT_DISK_GIB}",
    RentField.NAME: "amber-fox",
}
HINTS: Final[Mapping[RentField, str]] = {
    RentField.OTHER_LENGTH: "Counts instead of the choice above. Times are on your own clock.",
    RentField.DISK: f"Whole GiB. Left empty: {DEFAULT_DISK_GIB} GiB, or all where a machine has less.",
    RentField.NAME: "2 to 31 small letters, digits and dashes. Left empty: I make one up.",
}
_TYPED: Final = "Press the button, or write it as one line: `/gpu rent a100 4h`; `/gpu offers` shows what there is."


def offered(offer: Offer) -> str:
    """A machine with its price and stock, as one choice."""
    stock = "" if offer.stock is None else " · sold out" if offer.stock <= 0 else f" · {offer.stock} left"
    return f"{machine(offer)} · {hourly(offer.price_microusd_per_hour)}{stock}"


def kept(disk: Disk) -> str:
    """A kept disk, as one choice."""
    where_it_is = f"{disk.provider}, {disk.region}" if disk.region else disk.provider
    return f"{disk.name} · {disk.size_gib:,} GiB · {where_it_is}"


def cost(priced: Priced, policy: Policy, now: datetime, channel: str, disk: str | None = None) -> str:
    """The whole cost, the end, and whether it is rented at once; ``disk``: the kept one that it is to have."""
    order = priced.order
    size = f"{order.disk_gib:,} GiB of disk" if disk is None else f"with the kept disk {disk} ({order.disk_gib:,} GiB)"
    return "\n".join(
        (
            f"*{dollars(order.quote_microusd)} in whole*: {machine(order.offer)} at {where(order.offer)} for "
            f"{span(order.length_s)}, {hourly(order.offer.price_microusd_per_hour)}, {size}.",
            f"Started now, it ends {moment(now + timedelta(seconds=order.length_s))}.",
            f"{_what_follows(priced.reason, policy)} {_where_to(channel, asks=priced.reason is not None)}",
        )
    )


def cost_rose(words: str) -> str:
    """A form that was sent before it had shown what its choices cost now."""
    return (
        f":warning: Nothing is rented yet: it costs more than was shown. Send the form again if that is right.\n{words}"
    )


def problem(sentence: str) -> str:
    """Why there is no cost to show, in its place."""
    return f":warning: {sentence}"


def too_late() -> str:
    """The trigger was used up or too old."""
    return f"Slack lets me open a form within 3 s only, and they were over. {_TYPED}"


def could_not_open() -> str:
    """Slack did not open the form."""
    return f"Slack did not open the form just now. {_TYPED}"


def _what_follows(reason: QuoteReason | None, policy: Policy) -> str:
    match reason:
        case None:
            return "It is rented at once."
        case QuoteReason.SECOND_ONE:
            return "You asked for the same a minute ago, so I ask first whether a second one is meant."
        case QuoteReason.OVER_LIMIT:
            return f"That is above {dollars(policy.rent_limit_microusd)}, so I ask first; nothing is rented until *Rent* is pressed."
        case QuoteReason.NEEDS_APPROVER:
            return f"Above {dollars(policy.approval_limit_microusd)} an approver has to press *Rent* first."


def _where_to(channel: str, *, asks: bool) -> str:
    place = f"<#{channel}>" if channel and not channel.startswith("D") else "our direct messages"
    return f"{'The message with the button' if asks else 'Its card'} comes to {place}."
