"""What happened to a job, for the thread of its lease."""

from bot.domain.jobs.causes import Cause, CauseKind
from bot.domain.jobs.continuation import WhyNot
from bot.domain.jobs.ending import Ending, EndingKind
from bot.domain.jobs.job import Continuation
from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from handlers.words.curve import number
from handlers.words.endings import advice, ending_icon, ending_words
from handlers.words.figures import dollars, gpu_label, hourly, span
from handlers.words.jobs import given_name
from handlers.words.problems import why
from handlers.words.text import fenced, plain

MOST_SAID = 900

JOB_KINDS = frozenset(
    {NoticeKind.JOB_ENDED, NoticeKind.JOB_UNSEEN, NoticeKind.JOB_SEEN_AGAIN, NoticeKind.JOB_OUTPUT_CUT}
)


def job_notice_words(notice: Notice, lease: Lease) -> str:
    """The sentence for a notice about a job."""
    facts = notice.facts
    name = f"*{lease.name}/{facts.get('number')}*{given_name(facts.get('title'))}"
    match notice.kind:
        case NoticeKind.JOB_ENDED:
            return _ended(notice, name, lease)
        case NoticeKind.JOB_UNSEEN:
            return f"{name}: its machine does not answer ({why(str(facts.get('code')))}), so how it is, is not known. I keep looking."
        case NoticeKind.JOB_SEEN_AGAIN:
            return f"{name} is seen again."
        case _:
            return f"{name}: somebody emptied its log; its lines are read from the beginning of what is there now."


def _ended(notice: Notice, name: str, lease: Lease) -> str:
    facts = notice.facts
    ending = Ending(
        EndingKind(str(facts["ending"])),
        exit_code=_whole(facts.get("exit_code")),
        signal=_whole(facts.get("signal")),
        by=str(facts.get("by") or ""),
        code=str(facts.get("code") or ""),
        detail=str(facts.get("detail") or ""),
        left_running=_whole(facts.get("left_running")) or 0,
    )
    words = f"{ending_icon(ending)} <@{facts.get('owner')}> {name}: {ending_words(ending)}."
    ran_s, cost = facts.get("ran_s"), _whole(facts.get("cost_microusd"))
    if isinstance(ran_s, int | float):
        words += f" It ran {span(ran_s)}" + (
            f" and its machine cost {dollars(cost)} in that time." if cost is not None else "."
        )
    last = facts.get("last")
    if facts.get("ends_nonfinite"):
        words += f" {plain(str(facts.get('metric')), 40)} is no number any more."
    elif isinstance(last, int | float):
        words += f" {plain(str(facts.get('metric')), 40)} {number(float(last))}."
    return f"{words}{_then(facts, lease)}{_why(ending, facts)}"


def _why(ending: Ending, facts: Facts) -> str:
    """What helps, and what it said in the end."""
    cause = (
        Cause(CauseKind(str(facts["cause"])), str(facts["cause_what"]), str(facts["cause_detail"]))
        if facts.get("cause")
        else None
    )
    helps = advice(ending, cause)
    if facts.get("bigger"):
        card = f"{facts.get('bigger_count')}× {gpu_label(str(facts['bigger']))}"
        card += " (simulated)" if facts.get("bigger_simulated") else ""
        rate = hourly(_whole(facts.get("bigger_rate")) or 0)
        helps += f" The cheapest with more on offer: {card} with {facts.get('bigger_gib')} GiB for {rate}."
    said = fenced(str(facts["said"]).split("\n"), MOST_SAID) if facts.get("said") else ""
    return "".join(f"\n{part}" for part in (helps, said) if part)


_FOLLOWS = {
    Continuation.SYNC: "What is on the machine is copied to the archive now",
    Continuation.STOP: "The machine is stopped now; its disks are kept",
    Continuation.RELEASE: "The machine's release is asked for next",
}
_WHY_NOT = {
    WhyNot.NOT_WELL: "the job did not end well, so the machine stays as it is",
    WhyNot.MACHINE: "the machine does not run any more, or is wanted otherwise by now",
    WhyNot.JOBS_RUN: "other jobs run or wait on the machine, and a stop would end them",
    WhyNot.UNDER_WAY: "it is being done already",
}


def _then(facts: Facts, lease: Lease) -> str:
    """What follows by ``then=``, or why it does not and how to have it all the same."""
    if not facts.get("then"):
        return ""
    then = Continuation(str(facts["then"]))
    if not facts.get("then_not"):
        return f" {_FOLLOWS[then]} (`then={then}`)."
    why_not = WhyNot(str(facts["then_not"]))
    anyway = "" if why_not in (WhyNot.MACHINE, WhyNot.UNDER_WAY) else f" `/gpu {then} {lease.name}` does it."
    return f" `then={then}` is not carried out: {_WHY_NOT[why_not]}.{anyway}"


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
