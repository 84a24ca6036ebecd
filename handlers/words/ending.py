"""The lease's end, and what single people are told about questions, in words."""

from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from bot.domain.question import Answer, Cause
from handlers.words.figures import dollars, hourly
from handlers.words.question import SAVE_STAYS
from handlers.words.text import as_code, listed
from handlers.words.use import moment_of

_SIGNS = {Answer.YES: "✅", Answer.SAVE: "💾", Answer.NO: "❌"}


def ends_soon_words(facts: Facts, lease: Lease) -> str:
    """When, what it cost, what runs, and what happens then."""
    longer = listed([f"{dollars(_whole(facts, 'extend_1h_microusd'))} for an hour"], "or")
    return (
        f"<@{lease.owner}> *{lease.name}* ends {moment_of(facts.get('ends'))}. So far it cost "
        f"{dollars(_whole(facts, 'cost_microusd'))}, at {hourly(_whole(facts, 'rate'))}; {_at_work(facts)}. "
        f"It can be extended ({longer}). At its end you are asked about its release: "
        "no job is cut, and nothing is deleted, without a yes."
    )


def stopped_at_end_words(facts: Facts, lease: Lease) -> str:
    """A stop by the clock, which loses nothing."""
    return (
        f"<@{lease.owner}> *{lease.name}* is being stopped: its lease ended {moment_of(facts.get('ends'))}, nobody has "
        f"answered, and nothing runs on it. Its disks are kept for {hourly(_whole(facts, 'rate'))}; a stop is not a "
        f"release. `/gpu start {lease.name}` boots it again."
    )


def wants_words(facts: Facts, lease: Lease) -> str:
    """Who, or which clock, wants it released."""
    match facts.get("cause"):
        case Cause.LEASE_END:
            return f"<@{lease.owner}> The lease of *{lease.name}* has ended."
        case Cause.IDLE:
            return f"<@{lease.owner}> *{lease.name}* is unused, and the reminders were not answered."
        case Cause.AFTER_JOB:
            job = as_code(str(facts.get("after_job")))
            return f"<@{facts.get('by')}> wanted *{lease.name}* released after {job}, which has ended well."
        case _:
            return f"<@{facts.get('by')}> wants *{lease.name}* released."


def direct_words(notice: Notice, lease: Lease) -> str:
    """For one person, about a question."""
    facts = notice.facts
    disk = str(facts["disk"]) if facts.get("disk") else None
    name = f"the disk *{disk}*" if disk else f"*{lease.name}*"
    link = facts.get("link")
    question = f"<{link}|the question>" if link else "the question in its thread"
    if notice.kind is NoticeKind.OWNER_ASKED:
        wish = f"your disk *{disk}* deleted" if disk else f"your machine {name} released"
        return (
            f"<@{facts.get('by')}> wants {wish}. See {question}: it shows what would be lost. You "
            "have the word first; answer there or here."
        )
    if notice.kind is NoticeKind.SIGNS_CONTRADICT:
        counts = _SIGNS[Answer(str(facts.get("counts")))]
        return (
            f"Under {question} about {name} there are signs that contradict each other. The one that loses less counts: "
            f"{counts} of <@{facts.get('by')}>. Yours does not."
        )
    if facts.get("reason") == "owner-first":
        since = f"It counts {moment_of(facts['counts_from'])}" if facts.get("counts_from") else "It counts later"
        return (
            f"Your ✅ under {question} about {name} is noted and does not count yet: <@{facts.get('owner') or lease.owner}> has the word first. "
            f"{since}, if it is still there; take it away to withdraw it."
        )
    if facts.get("reason") == "save-needs-running":
        return (
            f"Your 💾 under {question} about {name} is noted and does not count yet: the machine does not run, so nothing "
            f"can be copied. `/gpu start {lease.name}` starts it. {SAVE_STAYS}"
        )
    if facts.get("reason") == "save-needs-machine":
        return (
            f"Your 💾 under {question} about {name} does not count: nothing can be saved from a disk while no machine has "
            f"it. ❌ first, then `/gpu rent GPU DURATION disk={disk}` and `/gpu sync` of that machine."
        )
    return f"Your ✅ under {question} about {name} does not count: to lose so much takes the ✅ of an approver who did not ask."


def _at_work(facts: Facts) -> str:
    jobs = _whole(facts, "jobs")
    if jobs:
        return f"{jobs} {'job runs' if jobs == 1 else 'jobs run'} on it"
    if facts.get("unused"):
        return "nothing runs on it and nobody uses it"
    gpu = facts.get("gpu")
    return f"no job runs on it, GPU {gpu} % at the last look" if isinstance(gpu, int) else "no job runs on it"


def _whole(facts: Facts, name: str) -> int:
    value = facts.get(name)
    return int(value) if isinstance(value, int | float) else 0
