"""Values to be stored: plain ones to start from, and ones in which every field is filled."""

from dataclasses import MISSING, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.checklist import Checklist, Item, Line, Verdict
from bot.domain.instance import InstanceRef, SshAddress
from bot.domain.inventory.compare import Change
from bot.domain.jobs.job import Job, JobState
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.living import Subject
from bot.domain.notice import Audience, Notice, NoticeKind, Priority
from bot.domain.offers import Offer
from bot.domain.places import MessageRef
from bot.domain.problem import Problem
from bot.domain.question import Cause, Question, QuestionState
from bot.domain.quote import Quote, QuoteReason, QuoteState, RentOrder
from bot.ports.store import Tx

NOON = datetime(2026, 3, 29, 12, 0, 0, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def at(hours: float) -> datetime:
    """So many hours after noon."""
    return NOON + hours * HOUR


def offer(ref: str = "gpu_1x_a100", **changes: Any) -> Offer:
    """One line of a price list: 2 dollars an hour, 10 cents stopped."""
    plain: dict[str, Any] = {
        "provider": "local", "region": "here", "ref": ref, "gpu": "a100-80", "gpu_count": 1,
        "gpu_memory_gib": 80, "disk_gib": 500, "price_microusd_per_hour": 2_000_000,
        "stopped_microusd_per_hour": 100_000,
    }  # fmt: skip
    return Offer(**plain | changes)


def lease(lease_id: str = "l1", name: str = "amber-fox", **changes: Any) -> Lease:
    """A lease as `rent` makes it."""
    plain: dict[str, Any] = {
        "id": lease_id, "name": name, "team_id": "T1", "owner": "U1", "channel": "C1", "offer": offer(),
        "disk_gib": 100, "length_s": 4 * 3600, "quote_microusd": 8_000_000, "requested_at": NOON,
        "state": LeaseState.REQUESTED, "state_since": NOON,
    }  # fmt: skip
    return Lease(**plain | changes)


def full_lease() -> Lease:
    """A lease with every field filled."""
    return lease(
        quote_microusd=9_000_000_000_000,
        state=LeaseState.UNFIT,
        want=Want.STOPPED,
        tried=(offer("a", stock=0), offer("b", simulated=True)),
        spare=(offer("c", stock=3),),
        ref=InstanceRef("local", "i-1"),
        launched_at=at(1),
        boot_began_at=at(1.5),
        ends_at=at(5),
        handed_over_at=at(2),
        released_at=at(8),
        release_accepted_at=at(7),
        address=SshAddress("127.0.0.1", 2222, "me", "ssh-ed25519 AAAA"),
        volume_id="vol-1",
        public_key="ssh-ed25519 BBBB",
        sealed_private_key="sealed",
        keys_applied="digest",
        checklist=Checklist(
            (Line(Item.SSH, Verdict.OK), Line(Item.DATA_DISK, Verdict.UNKNOWN, "not-found", "größe ☃ 🦊")), at(3)
        ),
        problem=Problem("no-capacity", {"offer": "a", "tries": 2, "share": 0.5, "final": True, "cause": None}),
        seen_at=at(4),
        missing_reads=1,
        attempts=2,
        next_look_at=at(6),
        disk_id="vol-1",
        keep_disk_as="models",
        version=7,
    )


def question(question_id: str = "q1", lease_id: str = "l1", **changes: Any) -> Question:
    """A question as it is asked."""
    plain: dict[str, Any] = {"id": question_id, "lease_id": lease_id, "asked_by": "U1", "asked_at": NOON}
    return Question(**plain | changes)


def full_question() -> Question:
    """An answered one."""
    return question(
        state=QuestionState.YES,
        answered_by="U2",
        answered_at=at(1),
        message=MessageRef("C1", "1700000000.000100"),
        fingerprint="f" * 32,
        follows="q0",
        changes=(Change.FILES, Change.JOBS),
        sync_id="s1",
        cause=Cause.LEASE_END,
        owner_first_until=at(0.5),
        signed_at=at(1),
        signs_read_at=at(1.5),
        after_job="amber-fox/3",
        disk_id="d1",
    )


def quote(quote_id: str = "k1", **changes: Any) -> Quote:
    """A quote as it is made."""
    order = RentOrder(offer(stock=4, simulated=True), (offer("b"),), 7200, 100, "amber-fox", 4_000_000)
    plain: dict[str, Any] = {
        "id": quote_id, "owner": "U1", "team_id": "T1", "channel": "C1", "order": order,
        "reason": QuoteReason.NEEDS_APPROVER, "asked_at": NOON, "expires_at": at(1),
    }  # fmt: skip
    return Quote(**plain | changes)


def full_quote() -> Quote:
    """An answered one."""
    return quote(state=QuoteState.ACCEPTED, answered_by="U2", lease_id="l1")


def notice(occasion: str = "o1", **changes: Any) -> Notice:
    """A notice for a lease's thread."""
    plain: dict[str, Any] = {"occasion": occasion, "kind": NoticeKind.LEASE_READY, "lease_id": "l1"}
    return Notice(**plain | changes)


def full_notice() -> Notice:
    """A reminder with every field filled."""
    return notice(
        kind=NoticeKind.ENDS_SOON,
        audience=Audience.PERSON,
        priority=Priority.FIGURES,
        at_most_once=True,
        facts={"left_s": 900, "rate": 1.5, "name": "amber-fox", "stopped": False, "by": None},
    )


def show_card(tx: Tx, lease_id: str = "l1", ts: str = "1700000000.000100", when: datetime = NOON) -> MessageRef:
    """Deliver a lease's card as it is now."""
    card = tx.living.get(Subject.LEASE, lease_id)
    assert card is not None
    message = MessageRef(card.channel, ts)
    tx.living.shown(card, message, when)
    return message


def unfilled(value: Any) -> list[str]:
    """Fields that hold just their default, so that losing them would not be noticed."""
    return [
        field.name
        for field in fields(value)
        if getattr(value, field.name)
        == (field.default_factory() if field.default_factory is not MISSING else field.default)
    ]


def job(job_id: str = "j1", lease_id: str = "l1", **changes: Any) -> Job:
    plain: dict[str, Any] = {
        "id": job_id, "lease_id": lease_id, "number": 0, "owner": "U1", "command": "python train.py",
        "requested_at": NOON, "state": JobState.REQUESTED, "state_since": NOON,
    }  # fmt: skip
    return Job(**plain | changes)
