"""On the way to a release: what a look, a copy or an answer makes of the question and of its lease."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.audit import AuditEntry
from bot.domain.disk import Disk
from bot.domain.inventory.inventory import Inventory
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.looks import Looks
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.problem import Facts
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.release import Ground
from bot.domain.sync import SyncRun

US = "gpubot"


class ReleaseAnswer(StrEnum):
    """What became of a wish to release, or of an answer to its question; of a kept disk's alike."""

    GOING = "going"
    """It was never handed over: it is released without a question."""
    LOOKING = "looking"
    """What is on it is being looked at; the question comes after."""
    ALREADY_LOOKING = "already-looking"
    ALREADY_ASKED = "already-asked"
    ALREADY_LEAVING = "already-leaving"
    YES = "yes"
    SAVING = "saving"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question after its look, the lease with what is wanted of it by then, and the line for the audit."""

    question: Question
    lease: Lease
    entry: AuditEntry


def put_question(
    lease: Lease, question: Question, inventory: Inventory, now: datetime, *, is_unused: bool = False
) -> Asked:
    """The question with what the look found. Where nothing would be lost the release is wanted from here on; but not
    where the machine is still somebody's who did not ask, or may be in use at its lease's end (not ``is_unused``)."""
    is_anothers = question.is_of_another(lease.owner) or question.cause is Cause.IDLE
    is_in_use = question.cause is Cause.LEASE_END and not is_unused
    put = question.looked(inventory, now, must_ask=is_anothers or is_in_use)
    is_clean = put.state is QuestionState.CLEAN
    wanted = lease.evolve(want=Want.RELEASED, next_look_at=now) if is_clean else lease.evolve()
    action = "found-clean" if is_clean else "question-put"
    facts = {"question": question.id, **inventory_facts(inventory)}
    return Asked(put, wanted, AuditEntry(now, US, action, lease.id, facts))


def asked_anew(question: Question, new_id: str, inventory: Inventory, now: datetime) -> Question:
    """The next question to the same end, with what a copy left."""
    return Question(
        new_id,
        question.lease_id,
        question.asked_by,
        now,
        QuestionState.OPEN,
        fingerprint=inventory.fingerprint,
        follows=question.id,
        sync_id=question.sync_id,
        cause=question.cause,
        after_job=question.after_job,
        owner_first_until=question.owner_first_until,
    )


def archived_facts(archived: tuple[int, int], sync: SyncRun | None) -> Facts:
    """What has a verified copy, (files, bytes), and where."""
    files, size_bytes = archived
    place = sync.place if sync is not None else ""
    return {"data_archived_files": files, "data_archived_bytes": size_bytes, "data_place": place}


def data_facts(question: Question | None, looks: Looks, archived: tuple[int, int], sync: SyncRun | None) -> Facts:
    """For the receipt: what was archived where, and what was knowingly lost by whose yes."""
    facts = dict(archived_facts(archived, sync))
    last = looks.last.inventory if looks.last is not None else None
    if question is None or last is None:
        return facts
    if question.state is QuestionState.CLEAN:
        facts["data_ground"] = "clean"
    elif question.state is QuestionState.YES:
        facts |= {
            "data_ground": "approved",
            "data_lost_by": question.answered_by,
            "data_lost_files": last.files,
            "data_lost_bytes": last.size_bytes,
            "data_lost_unknown": last.why_unknown is not None,
        }
    return facts


def ended_entry(lease: Lease, question: Question | None, now: datetime) -> AuditEntry:
    """How a lease ended, and of a release on what ground: whose yes, nothing to lose, or never anybody's."""
    facts: Facts = {}
    if lease.state is LeaseState.RELEASED and lease.launched_at is not None:
        if not lease.is_handed_over:
            facts = {"ground": Ground.NEVER_HANDED_OVER}
        elif question is not None and question.state is QuestionState.CLEAN:
            facts = {"ground": Ground.CLEAN, "asked_by": question.asked_by, "question": question.id}
        elif question is not None and question.state is QuestionState.YES:
            facts = {"ground": Ground.APPROVED, "by": question.answered_by, "question": question.id}
    return AuditEntry(now, US, lease.state.value, lease.id, facts)


def owner_asked(lease: Lease, question: Question, disk: Disk | None = None) -> Notice:
    """Tells the owner directly that somebody else wants their machine released, or their ``disk`` deleted."""
    of_disk: Facts = {"to": disk.owner, "disk": disk.name} if disk is not None else {}
    return Notice(
        f"{NoticeKind.OWNER_ASKED}:{question.id}",
        NoticeKind.OWNER_ASKED,
        lease.id,
        Audience.PERSON,
        Priority.PERSON,
        facts={"question": question.id, "by": question.asked_by, **of_disk},
    )


def found_clean(lease: Lease, question: Question, facts: Facts) -> Notice:
    """Said where nobody has to be asked."""
    asked: Facts = {"by": question.asked_by, "cause": question.cause, "after_job": question.after_job}
    return Notice(f"found-clean:{question.id}", NoticeKind.FOUND_CLEAN, lease.id, facts={**asked, **facts})


def inventory_facts(inventory: Inventory) -> Facts:
    """What the audit keeps in plain sight; the inventory itself is kept with the question."""
    return {
        "fingerprint": inventory.fingerprint,
        "verdict": inventory.verdict.value,
        "files": inventory.files,
        "size_bytes": inventory.size_bytes,
        "why_unknown": inventory.why_unknown.value if inventory.why_unknown is not None else None,
    }
