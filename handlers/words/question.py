"""The question before a release, in words."""

from bot.domain.lease import LeaseState
from bot.domain.ledger import rate_microusd_per_hour
from bot.domain.question import QuestionState
from bot.domain.views import QuestionView
from handlers.words.figures import hourly, machine, moment, span
from handlers.words.states import keeps_words
from handlers.words.text import listed


def question_is_open(view: QuestionView) -> bool:
    """Whether it can be answered, or its yes still be taken back."""
    if not view.lease.is_live or view.lease.state is LeaseState.RELEASING or view.lease.release_accepted_at:
        return False
    return view.question.is_live


def question_words(view: QuestionView) -> str:
    """What is asked, or what became of it."""
    question, lease = view.question, view.lease
    name = f"*{lease.name}* ({machine(lease.offer)})"
    by = f"<@{question.answered_by}>"
    match question.state:
        case QuestionState.OPEN if not lease.is_live:
            return f"Whether to release {name} no longer matters: it is over."
        case QuestionState.OPEN:
            return (
                f"<@{lease.owner}> Release {name}? <@{question.asked_by}> asks for it.\n"
                "It was handed over, and I have not looked at what is on it: *take it that everything on it exists "
                "nowhere else.* What is lost by a release stays lost."
            )
        case QuestionState.YES if not question_is_open(view):
            return f"{by} approved the release of {name}."
        case QuestionState.YES:
            return f"{by} approved the release of {name}. It begins {_after(view)}; until then ❌ takes it back."
        case QuestionState.NO:
            return f"{by} keeps {name}. Nothing was released."
        case QuestionState.SUPERSEDED:
            return f"This question about {name} is over: a newer one was asked, or the approval ran out unused."


def question_small_print(view: QuestionView) -> str:
    """What survives, what waiting costs, who may answer."""
    if view.question.state is not QuestionState.OPEN or not view.lease.is_live:
        return f"Asked {moment(view.question.asked_at)}."
    approvers = sorted(view.policy.approvers - {view.lease.owner})
    may = listed([f"<@{user}>" for user in (view.lease.owner, *approvers)], "or")
    rate = rate_microusd_per_hour(view.lease)
    waiting = f" Waiting costs {hourly(rate)}." if rate else ""
    return f"{keeps_words(view.capabilities)}{waiting} {may} may answer; it stays open until then."


def _after(view: QuestionView) -> str:
    if view.question.answered_at is None or view.grace_s < 1:
        return "at once"
    return f"{span(view.grace_s)} after the answer ({moment(view.question.answered_at)})"
