"""Answers to a person, for their eyes alone."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.domain.departure import ReleaseAnswer
from bot.domain.keys import PublicKey
from bot.domain.lease import Lease
from bot.domain.ledger import rate_microusd_per_hour
from bot.domain.offers import Offer
from bot.domain.policy import EVERYBODY, Policy
from bot.domain.quote import Quote, QuoteReason
from bot.domain.views import LeaseView
from bot.ports.store import OfferSheet
from bot.services.keep_quiet import Quiet
from bot.services.operate import Extended
from bot.services.read import Access, Listing
from handlers.words.card import card_lines
from handlers.words.figures import dollars, hourly, machine, moment, span, where
from handlers.words.paths import size_words
from handlers.words.problems import why
from handlers.words.text import as_code, listed, plain

MOST_OFFERS = 20


def renting(lease: Lease) -> str:
    """A rent that began at once."""
    return (
        f"Renting *{lease.name}*: {machine(lease.offer)} at {where(lease.offer)} for {span(lease.length_s)}, "
        f"{dollars(lease.quote_microusd)} in whole. Its card tells when it is ready."
    )


def quoted(quote: Quote) -> str:
    """A rent that waits for a button."""
    cost = dollars(quote.order.quote_microusd)
    match quote.reason:
        case QuoteReason.SECOND_ONE:
            return f"You asked for the same a minute ago. Press *Rent* below if you mean a second one, for {cost} in whole."
        case QuoteReason.OVER_LIMIT:
            return (
                f"That comes to {cost} in whole. Press *Rent* on the message below to go ahead; nothing is rented yet."
            )
        case QuoteReason.NEEDS_APPROVER:
            return f"That comes to {cost} in whole, so an approver has to press *Rent* on the message below."


def status(listing: Listing, whose: str) -> str:
    """Leases, a few lines each."""
    if not listing.count:
        return f"{whose} no machine. `/gpu rent cpu 1h` rents a small one; `/gpu offers` shows what there is."
    parts = [status_of_one(view) for view in listing.shown]
    if listing.count > len(listing.shown):
        parts.append(f"… and {listing.count - len(listing.shown)} more; `/gpu status NAME` shows one.")
    if listing.count > 1:
        parts.append(f"{listing.count} machines, {dollars(listing.cost_microusd)} so far.")
    return "\n\n".join(parts)


def status_of_one(view: LeaseView) -> str:
    """One lease."""
    return "\n".join(card_lines(view))


def offers(sheets: Sequence[OfferSheet], asked_for: str | None, *, count: int | None = None) -> str:
    """The price lists as one, cheapest first, with what may be out of date; ``count``: of machines with so many GPUs."""
    fitting = (o for sheet in sheets for o in sheet.offers if count is None or o.gpu_count == count)
    everything = sorted(fitting, key=lambda o: o.price_microusd_per_hour)
    lines = [_offer(offer) for offer in everything[:MOST_OFFERS]]
    if not lines:
        what = (
            f"Nobody offers {as_code(asked_for)}."
            if asked_for
            else "There is no price list yet; try again in a minute."
        )
        lines = [what]
    if len(everything) > MOST_OFFERS:
        lines.append(f"… and {len(everything) - MOST_OFFERS} more; name a GPU, as in `/gpu offers a100`.")
    for sheet in sheets:
        if sheet.fault is not None:
            read = f" since {moment(sheet.read_at)}" if isinstance(sheet.read_at, datetime) else ""
            lines.append(f":warning: {sheet.provider}: not read{read}, {why(sheet.fault)}.")
    return "\n".join(lines)


def _offer(offer: Offer) -> str:
    stock = "" if offer.stock is None else " · sold out" if offer.stock <= 0 else f" · {offer.stock} left"
    return f"• {machine(offer)} · {hourly(offer.price_microusd_per_hour)} · {where(offer)}{stock}"


def release_answer(answer: ReleaseAnswer, name: str) -> str:
    """What became of a wish to release."""
    match answer:
        case ReleaseAnswer.GOING:
            return f"*{name}* was never handed over, so nothing can be lost: it is being released."
        case ReleaseAnswer.LOOKING:
            return (
                f"Looking at what is on *{name}*. If something would be lost, the question comes in its thread; "
                "if nothing would, it is released."
            )
        case ReleaseAnswer.ALREADY_LOOKING:
            return f"That is asked already: what is on *{name}* is being looked at, and its thread will tell."
        case ReleaseAnswer.ALREADY_ASKED:
            return f"That is asked already; the question in *{name}*'s thread waits for an answer."
        case ReleaseAnswer.ALREADY_LEAVING:
            return f"*{name}* is being released already."
        case ReleaseAnswer.YES:
            return f"*{name}* will be released. ❌ takes it back while the question shows it."
        case ReleaseAnswer.SAVING:
            return f"*{name}* is copied to the archive first. ❌ on its question keeps it."
        case ReleaseAnswer.KEPT:
            return f"*{name}* is kept."


def stopping(lease: Lease) -> str:
    """A stop that was accepted."""
    rate = hourly(lease.offer.stopped_microusd_per_hour)
    return f"Stopping *{lease.name}*. Its disks are kept for {rate} until you release it."


def starting(lease: Lease) -> str:
    """A start that was accepted."""
    return (
        f"Starting *{lease.name}* for {hourly(lease.offer.price_microusd_per_hour)}. Its card tells when it is ready."
    )


def extended(result: Extended) -> str:
    """A longer lease."""
    ends = f" until {moment(result.lease.ends_at)}" if result.lease.ends_at else ""
    return f"*{result.lease.name}* is extended{ends}: {dollars(result.added_microusd)} more, {dollars(result.lease.quote_microusd)} in whole."


def kept_anyway(lease: Lease) -> str:
    """An unfit machine that somebody takes."""
    return f"*{lease.name}* is yours as it is."


def looking(lease: Lease) -> str:
    """A checklist that was asked for."""
    return f"Looking at *{lease.name}*… the checklist comes in its thread; a minute at most, mostly seconds."


def syncing(lease: Lease) -> str:
    """A copy that was asked for."""
    return (
        f"Copying *{lease.name}* to the archive; the message in its thread tells how far, and what is safe in the end."
    )


def kept_quiet(quiet: Quiet) -> str:
    """No reminders for a while."""
    rate = hourly(rate_microusd_per_hour(quiet.lease))
    return f"No idle reminders about *{quiet.lease.name}* until {moment(quiet.until)}. It goes on costing {rate}."


def access(found: Access) -> str:
    """How to log in; shown to the owner alone."""
    lease, address = found.lease, found.lease.address
    if address is None:
        return f"*{lease.name}* has no address just now."
    port = f" -p {address.port}" if address.port != 22 else ""
    host_key = (
        f"\nHost key, for your `known_hosts`: `[{address.host}]:{address.port} {address.host_key}`"
        if address.host_key
        else ""
    )
    keys = listed([as_code(key.comment or key.fingerprint) for key in found.keys])
    return (
        f"Log in to *{lease.name}*:\n```ssh{port} {address.user}@{address.host}```\n"
        f"Your keys on it: {keys}.{host_key}\nWork in `~/work`: that is the data disk."
    )


def key_added(key: PublicKey) -> str:
    """A key that was remembered."""
    return f"Added {as_code(key.comment or 'your key')} (`{key.fingerprint}`). It is put on your machines, those that run now too."


def key_list(keys: Sequence[PublicKey]) -> str:
    """A person's keys, numbered."""
    if not keys:
        return "You have no keys here. `/gpu key add ssh-ed25519 AAAA…` adds one: the line in `~/.ssh/id_ed25519.pub`."
    return "\n".join(f"{number}. `{key.fingerprint}` {plain(key.comment)}" for number, key in enumerate(keys, 1))


def key_meant(meant: Sequence[tuple[int, str]]) -> str:
    """Numbers in the list of the keys that somebody perhaps meant, and their comments."""
    named = [f"`/gpu key remove {number}` ({as_code(comment)})" for number, comment in meant]
    return f"Did you mean {listed(named, 'or')}?" if named else "`/gpu key list` numbers them."


def key_removed(key: PublicKey) -> str:
    """A key that was forgotten."""
    return f"Removed `{key.fingerprint}`. It is taken off your machines that run now; sessions that are open stay open."


def policy(rules: Policy, grace_s: float) -> str:
    """The team's rules in words."""
    return "\n".join(
        (
            f"• Who may rent: {_people(rules.members)}",
            f"• Approvers (may answer for others, and above the upper limit): {_people(rules.approvers)}",
            f"• Admins (may stop, start and extend others' machines): {_people(rules.admins)}",
            f"• Channels: {_channels(rules.channels)}",
            f"• A rent up to {dollars(rules.rent_limit_microusd)} in whole needs no button; above "
            f"{dollars(rules.approval_limit_microusd)} an approver has to press it.",
            f"• A lease lasts {span(rules.longest_lease_s)} at most.",
            *_release_rules(rules),
            f"• A release is asked about first, and can be taken back for {span(grace_s)}. Only the owner or an approver may answer.",
        )
    )


def _release_rules(rules: Policy) -> Iterator[str]:
    if rules.release_approver_above_bytes is not None:
        above = size_words(rules.release_approver_above_bytes)
        yield f"• To lose more than {above} takes the ✅ of an approver who did not ask; 💾 and ❌ take none."
    yield (
        f"• Where somebody else's machine is asked for, its owner has {span(rules.owner_first_s)} before an approver's ✅ "
        "counts."
    )
    if rules.idle_asks_after_s is not None:
        yield f"• A machine unused for {span(rules.idle_asks_after_s)}, whose reminders were not answered, is asked about."
    stopped = (
        " An unused one whose question waits is stopped, where that keeps its disks." if rules.stops_unused else ""
    )
    yield f"• At a lease's end its release is asked about; no job is cut by it.{stopped}"


def _people(users: frozenset[str]) -> str:
    if EVERYBODY in users:
        return "every full member of this workspace"
    return listed([f"<@{user}>" for user in sorted(users)]) or "nobody"


def _channels(channels: frozenset[str]) -> str:
    return "every channel" if EVERYBODY in channels else listed([f"<#{c}>" for c in sorted(channels)]) or "none"
