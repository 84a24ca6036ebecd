"""A lease's card in words."""

from bot.domain.lease import LeaseState
from bot.domain.ledger import rate_microusd_per_hour
from bot.domain.question import QuestionState
from bot.domain.views import LeaseView
from handlers.words.figures import dollars, hourly, machine, moment, span, where
from handlers.words.jobs import job_line
from handlers.words.problems import problem_sentence
from handlers.words.states import keeps_words, state_icon, state_words
from handlers.words.use import use_line

_ON_THE_WAY = {
    QuestionState.LOOKING: "A release is asked for: I am looking at what is on it.",
    QuestionState.OPEN: "A release is asked for: the question in this thread waits for an answer.",
    QuestionState.SAVING: "A release is asked for: what is on it is being saved first.",
}

MOST_JOBS = 3


def card_text(view: LeaseView) -> str:
    """The card in one line, for notifications and screen readers."""
    lease = view.lease
    return f"{lease.name}: {state_words(lease)}. {machine(lease.offer)}, {money_words(view)}."


def card_lines(view: LeaseView) -> list[str]:
    """The card's lines: what, state, money, whose, what is wrong."""
    lease = view.lease
    lines = [
        f"*{lease.name}* · {machine(lease.offer)} · {where(lease.offer)}",
        state_line(view),
        f"{money_words(view)} · owner <@{lease.owner}>",
    ]
    if (used := use_line(view)) is not None:
        lines.append(used)
    lines += [f"job {job_line(job)}" for job in view.jobs[:MOST_JOBS]]
    if len(view.jobs) > MOST_JOBS:
        lines.append(f"… and {len(view.jobs) - MOST_JOBS} more jobs")
    if view.question is not None and view.question.state in _ON_THE_WAY and lease.is_live:
        lines.append(_ON_THE_WAY[view.question.state])
    if lease.problem is not None:
        lines.append(problem_sentence(lease.problem, lease))
    return lines


def state_line(view: LeaseView) -> str:
    """The state, and until or since when."""
    return f"{state_icon(view.lease.state)} *{state_words(view.lease)}*{_when(view)}"


def small_print(view: LeaseView) -> str:
    """What survives, and what is not real."""
    lease = view.lease
    if not lease.is_live:
        return f"Asked for {moment(lease.requested_at)}. `/gpu rent` rents another."
    parts = [keeps_words(view.capabilities)]
    if lease.offer.simulated:
        parts.append("The GPU is simulated: real processes and files on this computer, no real card, no real bill.")
    if lease.seen_at is not None and lease.state is not LeaseState.READY:
        parts.append(f"Last seen {moment(lease.seen_at)}.")
    return " ".join(parts)


def _when(view: LeaseView) -> str:
    lease = view.lease
    match lease.state:
        case LeaseState.READY | LeaseState.UNFIT if lease.ends_at is not None:
            over = ", past its end" if view.now > lease.ends_at else ""
            return f" until {moment(lease.ends_at)}{over}"
        case LeaseState.STOPPED:
            return f" since {moment(lease.state_since)}, disks kept"
        case LeaseState.RELEASED if lease.released_at is not None:
            return f" {moment(lease.released_at)}"
        case LeaseState.REQUESTED | LeaseState.LAUNCHING | LeaseState.BOOTING | LeaseState.CHECKING:
            return f" · for {span(lease.length_s)}"
        case LeaseState.RELEASE_STUCK | LeaseState.VANISHED:
            return f" since {moment(lease.state_since)}"
        case _:
            return ""


def money_words(view: LeaseView) -> str:
    """``$0.32 so far, now $1.29 an hour, $5.16 quoted``."""
    lease = view.lease
    if not lease.is_live:
        return f"{dollars(view.cost_microusd)} in all"
    rate = rate_microusd_per_hour(lease)
    now = f", now {hourly(rate)}" if rate else ""
    return f"{dollars(view.cost_microusd)} so far{now}, {dollars(lease.quote_microusd)} quoted"
