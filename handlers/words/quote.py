"""A rent that waits for a button, in words."""

from bot.domain.quote import QuoteReason, QuoteState
from bot.domain.views import QuoteView
from handlers.words.figures import dollars, hourly, machine, span, where
from handlers.words.text import listed


def quote_is_open(view: QuoteView) -> bool:
    """Whether a press can still do something."""
    return view.quote.state is QuoteState.OPEN and view.now <= view.quote.expires_at


def quote_words(view: QuoteView) -> str:
    """The whole cost, and why a button is needed."""
    quote, order = view.quote, view.quote.order
    what = f"{machine(order.offer)} at {where(order.offer)} for {span(order.length_s)}"
    cost = f"{dollars(order.quote_microusd)} in whole ({hourly(order.offer.price_microusd_per_hour)})"
    if quote.state is QuoteState.ACCEPTED:
        return f"<@{quote.answered_by}> rented {what}: {cost}."
    if quote.state is QuoteState.DECLINED:
        return f"<@{quote.answered_by}> did not rent {what}."
    if not quote_is_open(view):
        return f"The offer of {what} is too old: prices change. Type the command again."
    match quote.reason:
        case QuoteReason.SECOND_ONE:
            why = "You asked for the same a minute ago. Rent a second one?"
        case QuoteReason.OVER_LIMIT:
            why = f"That is above {dollars(view.policy.rent_limit_microusd)}, so I ask first."
        case QuoteReason.NEEDS_APPROVER:
            why = f"Above {dollars(view.policy.approval_limit_microusd)} an approver has to say yes."
    return f"<@{quote.owner}> wants {what}: *{cost}*. {why}"


def quote_small_print(view: QuoteView) -> str:
    """Who may press."""
    quote = view.quote
    if not quote_is_open(view):
        return "Answered." if quote.state is not QuoteState.OPEN else "Not answered in time."
    approvers = sorted(view.policy.approvers)
    if quote.reason is QuoteReason.NEEDS_APPROVER:
        people = [f"<@{user}>" for user in approvers]
        return (
            f"{listed(people, 'or')} may rent it." if people else "The policy names no approver; an admin can add one."
        )
    people = [f"<@{user}>" for user in (quote.owner, *[a for a in approvers if a != quote.owner])]
    return f"{listed(people, 'or')} may press. Nothing is rented until then."
