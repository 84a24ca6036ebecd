"""The question before a release, in words."""

from collections.abc import Iterator

from bot.domain.answering import needs_approver
from bot.domain.inventory.inventory import Inventory, Verdict, WhyBlind, WhyUnknown
from bot.domain.inventory.watched import may_answer
from bot.domain.lease import Lease, LeaseState
from bot.domain.ledger import rate_microusd_per_hour
from bot.domain.policy import Policy
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.views import QuestionView
from handlers.words.figures import hourly, machine, moment, span
from handlers.words.inventory import NAMED, changes_words, details, summary
from handlers.words.paths import files_words, path_shown, path_words, size_words
from handlers.words.states import keeps_words
from handlers.words.sync import result_lines
from handlers.words.text import as_code, listed

NO_ARCHIVE = (
    "There is no archive, so nothing can be saved: whoever runs gpubot sets `ARCHIVE` to any rclone destination, "
    "for example `s3:bucket/gpubot` or a folder."
)
SAVE_STAYS = (
    "If the 💾 is still there when the machine runs again, it counts by itself: what is on it is copied and verified, and "
    "it is released if that leaves nothing. Take the 💾 away to withdraw it."
)
"""Said of a reaction that cannot be carried out yet."""
_NOT_TO_BE_TYPED = frozenset(" \\'\"")
"""With one of these a path does not mean itself in a command."""
_Q = QuestionState


def question_is_open(view: QuestionView) -> bool:
    """Whether it can be answered, or its answer still be taken back."""
    return view.lease.is_live and not view.lease.is_leaving and view.question.is_live


def can_save(view: QuestionView) -> bool:
    """Whether 💾 makes sense: there is an archive, and a machine that may answer."""
    return view.has_archive and may_answer(view.lease)


def yes_label(view: QuestionView) -> str:
    """What ✅ does here."""
    is_clean = view.inventory is not None and view.inventory.verdict is Verdict.CLEAN
    return "Release it" if is_clean else "Release and lose it"


def question_words(view: QuestionView) -> str:
    """What is asked, or what became of it."""
    question, lease = view.question, view.lease
    name = f"*{lease.name}* ({machine(lease.offer)})"
    by = f"<@{question.answered_by}>"
    match question.state:
        case _Q.LOOKING | _Q.OPEN if not lease.is_live:
            return f"Whether to release {name} no longer matters: it is over."
        case _Q.LOOKING:
            return f"Release {name}? I am looking at what is on it."
        case _Q.OPEN:
            return "\n".join(_asked(view, name))
        case _Q.SAVING if not question_is_open(view):
            return f"{by} wanted {name} saved first. {_came_to(lease)}"
        case _Q.SAVING:
            return (
                f"{by} saves {name} first: it is copied and verified, and released if that leaves nothing. ❌ keeps it."
            )
        case _Q.CLEAN:
            then = "It is being released; until that begins ❌ keeps it." if question_is_open(view) else _came_to(lease)
            return " ".join([f"{name}: nothing on it would be lost.", *_archived(view), then])
        case _Q.YES if not question_is_open(view):
            return f"{by} approved the release of {name}{_lost(view)}. {_came_to(lease)}"
        case _Q.YES:
            return f"{by} approved the release of {name}{_lost(view)}. It begins {approved_words(view.question, view.grace_s)}; until then ❌ takes it back."
        case _Q.NO:
            return f"{by} keeps {name}. Nothing was released.{_goes_on(view)}"
        case _Q.SUPERSEDED:
            return f"This question about {name} is over: a newer one was asked, or the approval ran out unused."


def question_details(view: QuestionView) -> Iterator[str]:
    """What would be lost, as long as it can be said no to."""
    if view.question.state is _Q.OPEN and view.lease.is_live and view.inventory is not None:
        yield from details(view.inventory)
        yield from _ways_out(view.inventory, view)


def question_small_print(view: QuestionView) -> str:
    """What survives, what waiting costs, who may answer."""
    if view.question.state is not _Q.OPEN or not view.lease.is_live:
        return f"Asked {moment(view.question.asked_at)}."
    may = who_may(view.lease.owner, view.policy)
    rate = rate_microusd_per_hour(view.lease)
    waiting = f" Waiting costs {hourly(rate)}." if rate else ""
    save = "" if view.has_archive else f" {NO_ARCHIVE}"
    return (
        f"{keeps_words(view.capabilities, view.lease)}{waiting} {may} may answer, by button or by reaction; "
        f"it stays open until then.{save}{''.join(_rules(view))}"
    )


def who_may(owner: str, policy: Policy) -> str:
    """Whose answer counts."""
    return listed([f"<@{user}>" for user in (owner, *sorted(policy.approvers - {owner}))], "or")


def answer_rules(
    question: Question, shown: Inventory | None, owner: str, policy: Policy, *, others: str
) -> Iterator[str]:
    """What else holds for answers; ``others``: those that take no approver, with their verb."""
    if needs_approver(shown, policy) and policy.release_approver_above_bytes is not None:
        above = size_words(policy.release_approver_above_bytes)
        yield (
            f" To lose more than {above}, or nobody knows how much, takes the ✅ of an approver who did not ask; "
            f"{others} none."
        )
    if question.is_of_another(owner):
        until = question.owner_first_until
        since = f"from {moment(until)} on" if until else f"{span(policy.owner_first_s)} after that"
        told = "was told directly" if until else "is being told directly"
        yield (
            f" <@{owner}> {told}: an approver's ✅ counts {since}. One that is given as a reaction before stays "
            "noted and counts then."
        )


def approved_words(question: Question, grace_s: float) -> str:
    """When what was approved begins."""
    if question.answered_at is None or grace_s < 1:
        return "at once"
    return f"{span(grace_s)} after the answer ({moment(question.answered_at)})"


def _rules(view: QuestionView) -> Iterator[str]:
    """What else holds for answers here, and what happens without one."""
    question = view.question
    yield from answer_rules(question, view.inventory, view.lease.owner, view.policy, others="💾 and ❌ take")
    if view.stops_at is not None and question.cause is not None:
        yield (
            f" Without an answer, and if nothing runs on it, it is stopped (not released) {moment(view.stops_at)}: "
            "its disks are kept."
        )


def _ways_out(inventory: Inventory, view: QuestionView) -> Iterator[str]:
    """How to forget a path that somebody named and that is not there: as long as it is watched, that is unknown."""
    missing = (spot.path for spot in inventory.blind.first if spot.why is WhyBlind.MISSING)
    for path in [path for path in missing if path in view.named][:NAMED]:
        typed = path_shown(path)
        if not set(typed) & _NOT_TO_BE_TYPED and len(typed) <= 120:
            command = as_code(f"/gpu watch {view.lease.name} --remove {typed}", 200)
            yield f"{path_words(path, 120)} is looked at since somebody named it. If it is not to come: {command}."


def _goes_on(view: QuestionView) -> str:
    """What a no past the lease's end means: it is no longer lease."""
    lease = view.lease
    if view.asked_again_at is None or lease.ends_at is None or not lease.is_live:
        return ""
    return (
        f" That makes the lease no longer: it ended {moment(lease.ends_at)}, and the machine goes on at "
        f"{hourly(rate_microusd_per_hour(lease))} until it is extended, stopped or released. It is asked again "
        f"{moment(view.asked_again_at)} at the earliest."
    )


def _why(view: QuestionView, name: str) -> str:
    """Who asks, or which clock."""
    question, lease = view.question, view.lease
    match question.cause:
        case Cause.LEASE_END:
            ended = moment(lease.ends_at) if lease.ends_at else "a while ago"
            return f"<@{lease.owner}> Release {name}? Its lease ended {ended}."
        case Cause.IDLE:
            return f"<@{lease.owner}> Release {name}? It is unused, and the reminders were not answered."
        case Cause.AFTER_JOB:
            job = as_code(question.after_job or "")
            return (
                f"<@{lease.owner}> Release {name}? {job} has ended well, and <@{question.asked_by}> had started it with "
                "`then=release`."
            )
        case None:
            return f"<@{lease.owner}> Release {name}? {who_asks(question, lease.owner, view.policy)} asks for it."


def who_asks(question: Question, owner: str, policy: Policy) -> str:
    """A person, and by which right where it is not theirs."""
    if question.is_of_another(owner) and question.asked_by in policy.approvers | policy.admins:
        return f"<@{question.asked_by}>, an {'approver' if question.asked_by in policy.approvers else 'admin'},"
    return f"<@{question.asked_by}>"


def _asked(view: QuestionView, name: str) -> Iterator[str]:
    question = view.question
    yield _why(view, name)
    if question.follows is not None and question.sync_id is None:
        yield f"*Asked anew:* {changes_words(question.changes)}."
    if view.sync is not None and view.sync.ended_at is not None:
        yield "*Asked anew after the copy:*"
        yield from result_lines(view.sync)
    if view.inventory is not None:
        yield summary(view.inventory)
        if view.inventory.why_unknown is WhyUnknown.NOT_RUNNING and may_answer(view.lease):
            yield f"By now it was started: ❌ here, then `/gpu release {view.lease.name}` shows what is on it."


def _came_to(lease: Lease) -> str:
    """What became of a machine that is on its way out."""
    if lease.is_live:
        return "It is being released."
    if lease.state is LeaseState.RELEASED:
        at = f" {moment(lease.released_at)}" if lease.released_at is not None else ""
        return f"It was released{at}."
    return "It was gone before it was released."


def _archived(view: QuestionView) -> Iterator[str]:
    if view.sync is not None and view.sync.files:
        yield f"{files_words(view.sync.files, view.sync.size_bytes)} verified in {as_code(view.sync.place, 200)}."


def _lost(view: QuestionView) -> str:
    """What the yes was to."""
    if view.inventory is None or view.inventory.verdict is Verdict.CLEAN:
        return ""
    if view.inventory.verdict is Verdict.UNKNOWN:
        return ", knowing that what is on it is unknown"
    return f", losing {files_words(view.inventory.files, view.inventory.size_bytes)}"
