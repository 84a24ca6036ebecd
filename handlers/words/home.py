"""A person's home in words: their machines, jobs and money, and for approvers what waits for them."""

from collections.abc import Sequence
from typing import Final

from bot.domain.home import AskedAbout, HomeView, Spent
from bot.domain.lease import LeaseState
from bot.domain.question import Cause, QuestionState
from bot.domain.views import LeaseView
from handlers.words.card import money_words, state_line
from handlers.words.figures import dollars, machine, moment, where
from handlers.words.jobs import job_line
from handlers.words.problems import problem_sentence
from handlers.words.states import state_words
from handlers.words.use import use_line

MACHINES: Final = "Your machines"
RENT: Final = "Rent a machine"
JOBS: Final = "Your jobs"
SPENT: Final = "What you spent"
TEAM: Final = "The team's machines"
WAITING: Final = "Waiting for an answer"
ADD_A_KEY: Final = (
    "`/gpu key add ssh-ed25519 AAAA… you@laptop`, with the one line of your `~/.ssh/id_ed25519.pub` "
    "(`ssh-keygen -t ed25519` makes one)"
)
NO_KEY: Final = f":key: You have no SSH key here yet, so you could not log in to a machine. Add yours: {ADD_A_KEY}."
NO_MACHINES: Final = (
    "You have no machine. Press the button, or type it: `/gpu rent cpu 1h` rents a small one for an hour, to see how it "
    "goes; `/gpu offers` shows what else there is and for how much. Its card shows the cost so far and the buttons to end it."
)
NOTHING_WAITS: Final = "Nobody waits for an approver."
NO_TEAM_MACHINES: Final = "Nobody else has a machine."
_ON_THE_WAY: Final = {
    QuestionState.LOOKING: "A release is asked for: I am looking at what is on it.",
    QuestionState.OPEN: "A release is asked for: its question waits for an answer, below.",
    QuestionState.SAVING: "A release is asked for: what is on it is being saved first.",
    QuestionState.YES: "A release is approved; ❌ on its question takes that back while it can be.",
}


def own_lease(view: LeaseView) -> str:
    """One of one's own machines, a few lines."""
    lease = view.lease
    lines = [f"*{lease.name}* · {machine(lease.offer)} · {where(lease.offer)}", state_line(view), money_words(view)]
    if (used := use_line(view)) is not None:
        lines.append(used)
    if view.question is not None and view.question.state in _ON_THE_WAY:
        lines.append(_ON_THE_WAY[view.question.state])
    if lease.problem is not None:
        lines.append(problem_sentence(lease.problem, lease))
    return "\n".join(lines)


def team_lease(view: LeaseView) -> str:
    """Somebody else's machine, on one line."""
    lease = view.lease
    ends = f" until {moment(lease.ends_at)}" if lease.state is LeaseState.READY and lease.ends_at else ""
    return (
        f"• *{lease.name}* · <@{lease.owner}> · {machine(lease.offer)} · {state_words(lease)}{ends} · "
        f"{dollars(view.cost_microusd)} so far"
    )


def job_lines(view: HomeView) -> str:
    """The latest jobs, a line each; without any, how to start one."""
    if not view.jobs:
        name = next((v.lease.name for v in view.leases if v.lease.state is LeaseState.READY), None)
        if name is None:
            return "You have had no jobs yet. A job is a command that goes on running on a machine of yours while you close your laptop."
        return f"You have had no jobs yet. `/gpu try {name}` runs a small training; `/gpu run {name} -- python train.py` your own."
    return "\n".join(f"• {job_line(job)}" for job in view.jobs)


def spent_words(spent: Spent) -> str:
    """Today, this week, this month."""
    return (
        f"Today *{dollars(spent.today)}* · this week *{dollars(spent.this_week)}* · this month "
        f"*{dollars(spent.this_month)}*. `/gpu cost month` says for what."
    )


def asked_about(asked: AskedAbout, link: str | None) -> str:
    """A question that waits: it is answered where it shows what would be lost."""
    channel = asked.lease.channel
    in_channel = f" in <#{channel}>" if channel.startswith(("C", "G")) else ""
    place = f"<{link}|Its question>" if link else f"Its question{in_channel}"
    what = f"Release *{asked.lease.name}* of <@{asked.lease.owner}>"
    if asked.disk is not None:
        what = f"Delete the disk *{asked.disk.name}* of <@{asked.disk.owner}>"
    return (
        f"{what}? Asked {_by(asked)} "
        f"{moment(asked.question.asked_at)}. {place} shows what would be lost, and takes the answer."
    )


def and_more(count: int, command: str) -> str:
    """What was left out, and how to see it."""
    return f"… and {count} more: `/gpu {command}`"


def more_quotes(count: int) -> str:
    """What waits besides; each has its message where it was asked."""
    return f"… and {count} more; their messages are in the channels where they were asked."


def team_lines(views: Sequence[LeaseView]) -> str:
    """Others' machines, a line each."""
    return "\n".join(team_lease(view) for view in views)


def team_total(views: Sequence[LeaseView]) -> str:
    """How many, and what they cost so far."""
    count = "1 machine" if len(views) == 1 else f"{len(views)} machines"
    return f"{count} of others, {dollars(sum(view.cost_microusd for view in views))} so far. `/gpu cost month all` adds up everybody's."


def home_small_print(view: HomeView) -> str:
    """As of when, and what else to type."""
    return f"As of {moment(view.now)}; figures are brought up to date every few minutes while you look. `/gpu help` shows everything by examples."


def _by(asked: AskedAbout) -> str:
    match asked.question.cause:
        case Cause.LEASE_END:
            return "since its lease ended,"
        case Cause.IDLE:
            return "since nobody uses it,"
        case Cause.AFTER_JOB:
            return f"after `{asked.question.after_job}`,"
        case None:
            return f"by <@{asked.question.asked_by}>"
