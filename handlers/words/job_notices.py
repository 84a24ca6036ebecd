"""What happened to a job, for the thread of its lease."""

from bot.domain.jobs.ending import Ending, EndingKind
from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from handlers.words.curve import number
from handlers.words.endings import ending_icon, ending_words
from handlers.words.figures import dollars, span
from handlers.words.problems import why
from handlers.words.text import plain

JOB_KINDS = frozenset(
    {NoticeKind.JOB_ENDED, NoticeKind.JOB_UNSEEN, NoticeKind.JOB_SEEN_AGAIN, NoticeKind.JOB_OUTPUT_CUT}
)


def job_notice_words(notice: Notice, lease: Lease) -> str:
    """The sentence for a notice about a job."""
    facts = notice.facts
    name = f"*{lease.name}/{facts.get('number')}*"
    match notice.kind:
        case NoticeKind.JOB_ENDED:
            return _ended(notice, name)
        case NoticeKind.JOB_UNSEEN:
            return f"{name}: its machine does not answer ({why(str(facts.get('code')))}), so how it is, is not known. I keep looking."
        case NoticeKind.JOB_SEEN_AGAIN:
            return f"{name} is seen again."
        case _:
            return f"{name}: somebody emptied its log; its lines are read from the beginning of what is there now."


def _ended(notice: Notice, name: str) -> str:
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
    return words


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
