"""The question before a kept disk is deleted, in words."""

from collections.abc import Iterator
from dataclasses import replace

from bot.domain.disk import DiskState
from bot.domain.inventory.inventory import Inventory, Verdict, WhyUnknown
from bot.domain.question import QuestionState
from bot.domain.views import DiskQuestionView
from handlers.words.disks import disk_state, keeping_costs
from handlers.words.figures import dollars, moment
from handlers.words.inventory import details, summary
from handlers.words.paths import files_words
from handlers.words.question import answer_rules, approved_words, who_asks, who_may

_Q = QuestionState
_S = DiskState


def disk_question_is_open(view: DiskQuestionView) -> bool:
    """Whether it can be answered, or its answer still be taken back."""
    return view.disk.state is _S.KEPT and view.question.is_live


def disk_question_words(view: DiskQuestionView) -> str:
    """What is asked, or what became of it."""
    disk, question = view.disk, view.question
    name = f"the disk *{disk.name}* ({disk.size_gib} GiB)"
    by = f"<@{question.answered_by}>"
    match question.state:
        case _Q.NO:
            return (
                f"{by} keeps {name}. Nothing was deleted; it goes on at {keeping_costs(disk.rate_microusd_per_hour)}."
            )
        case _Q.SUPERSEDED:
            return f"This question about {name} is over: {_why_over(view)}."
        case _ if disk.state is _S.LOST:
            return f"Whether to delete {name} no longer matters: it is {disk_state(disk, view.lease)}."
        case _Q.YES if disk.state is _S.DELETED:
            return f"{by} approved it: {name} is deleted{_lost(view)}. It cost {dollars(view.cost_microusd)} in all."
        case _Q.YES if disk.state is _S.DELETING:
            return f"{by} approved it: {name} is being deleted{_lost(view)}."
        case _Q.YES:
            when = approved_words(question, view.grace_s)
            return f"{by} approved the deletion of {name}{_lost(view)}. It begins {when}; until then ❌ takes it back."
        case _:
            return "\n".join(_asked(view, name))


def disk_question_details(view: DiskQuestionView) -> Iterator[str]:
    """What would be lost, as long as it can be said no to."""
    if view.question.state is _Q.OPEN and view.disk.state is _S.KEPT:
        yield from details(_at_rest(view.inventory))


def disk_question_small_print(view: DiskQuestionView) -> str:
    """What keeping costs, what can be saved and how, who may answer."""
    disk, question = view.disk, view.question
    if question.state is not _Q.OPEN or disk.state is not _S.KEPT:
        return f"Asked {moment(question.asked_at)}."
    rules = answer_rules(question, view.inventory, disk.owner, view.policy, others="❌ takes")
    return (
        f"Keeping it costs {keeping_costs(disk.rate_microusd_per_hour)}. 💾 is not possible while no machine has it: "
        f"❌ here, then `/gpu rent GPU DURATION disk={disk.name}` and `/gpu sync` of that machine. "
        f"{who_may(disk.owner, view.policy)} may answer, by button or by reaction; it stays open until then."
        f"{''.join(rules)}"
    )


def disk_yes_label(view: DiskQuestionView) -> str:
    """What ✅ does here."""
    return "Delete it" if view.inventory.verdict is Verdict.CLEAN else "Delete it and lose it"


def _asked(view: DiskQuestionView, name: str) -> Iterator[str]:
    disk, question, inventory = view.disk, view.question, _at_rest(view.inventory)
    asks = who_asks(question, disk.owner, view.policy)
    yield f"<@{disk.owner}> Delete {name}, {disk_state(disk, view.lease)}? {asks} asks for it."
    if question.follows is not None:
        yield "*Asked anew:* the approval ran out before it could be carried out."
    if view.copied is not None:
        looked_at = f"Last looked at {moment(inventory.taken_at)}, when *{view.lease.name}* was released"
        yield f"{looked_at}; no machine had it since. {_content(inventory, *view.copied)}"
    if inventory.verdict is not Verdict.CLEAN or view.copied is None or view.copied[0]:
        yield _summary(inventory)


def _content(inventory: Inventory, files: int, size_bytes: int) -> str:
    """All that was on it; ``files`` and ``size_bytes`` have a verified copy."""
    whole_files, whole_bytes = files + inventory.files, size_bytes + inventory.size_bytes
    if not whole_files and inventory.verdict is Verdict.CLEAN:
        return "Nothing that people made is on it."
    held = f"{files_words(files, size_bytes)} of that" if files else "nothing of that"
    return f"On it: {files_words(whole_files, whole_bytes)}. With a verified copy in the archive: {held}."


def _summary(inventory: Inventory) -> str:
    if inventory.verdict is Verdict.CLEAN:
        return "Nothing on it would be lost: all of it has a verified copy."
    if inventory.verdict is Verdict.DIRTY and inventory.files:
        return f"*Would be lost: {files_words(inventory.files, inventory.size_bytes)}*, in no verified copy."
    return summary(inventory)


def _why_over(view: DiskQuestionView) -> str:
    disk = view.disk
    if view.changed is WhyUnknown.TOUCHED:
        return (
            "something that is not mine had the disk, so what is on it may have changed. "
            f"`/gpu disks delete {disk.name}` asks anew"
        )
    return "a newer one was asked, or the approval ran out unused"


def _lost(view: DiskQuestionView) -> str:
    """What the yes was to."""
    if view.inventory.verdict is Verdict.CLEAN:
        return ""
    if view.inventory.verdict is Verdict.UNKNOWN:
        return ", knowing that what is on it is unknown"
    return f", losing {files_words(view.inventory.files, view.inventory.size_bytes)}"


def _at_rest(inventory: Inventory) -> Inventory:
    """Nobody is at work on a disk that no machine has."""
    return replace(inventory, young=0, unseen_processes=0)
