"""A lease at any point of its life, for tests of decisions."""

from datetime import UTC, datetime, timedelta

from bot.domain.instance import Instance, InstanceRef, InstanceState, SshAddress
from bot.domain.inventory.inventory import Inventory
from bot.domain.lease import Lease, LeaseState
from bot.domain.lifecycle.timing import Timing
from bot.domain.looks import LastLook, Looks
from bot.domain.offers import Offer
from bot.domain.question import Question, QuestionState

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TIMING = Timing(poll_s=1, boot_limit_s=60, look_s=30, stuck_after_s=120, grace_s=60)
OFFER = Offer("local", "here-1", "l4x1", "l4", 1, 24, 500, 710_000, 8_000, stock=3, simulated=True)
REF = InstanceRef("local", "i1")
ADDRESS = SshAddress("127.0.0.1", 2200, "dev", "ssh-ed25519 AAAA")


def lease(state: LeaseState, **changes: object) -> Lease:
    """A lease that came into ``state`` ten seconds ago."""
    ago = NOW - timedelta(seconds=10)
    made = state not in (LeaseState.REQUESTED, LeaseState.FAILED)
    fields: dict[str, object] = {
        "id": "lease1",
        "name": "amber-fox",
        "team_id": "T1",
        "owner": "U1",
        "channel": "C1",
        "offer": OFFER,
        "disk_gib": 100,
        "length_s": 3600,
        "quote_microusd": 710_000,
        "requested_at": ago,
        "state": state,
        "state_since": ago,
        "ref": REF if made else None,
        "launched_at": ago if made else None,
        "boot_began_at": ago if made else None,
        "ends_at": NOW + timedelta(hours=1) if made else None,
        "address": ADDRESS if made else None,
    }
    return Lease(**(fields | changes))  # type: ignore[arg-type]


def handed_over(state: LeaseState, **changes: object) -> Lease:
    return lease(state, handed_over_at=NOW - timedelta(seconds=5), **changes)


def instance(state: InstanceState, **changes: object) -> Instance:
    fields: dict[str, object] = {
        "ref": REF,
        "token": "lease1",
        "state": state,
        "vendor_state": state.value,
        "address": ADDRESS if state is InstanceState.RUNNING else None,
    }
    return Instance(**(fields | changes))  # type: ignore[arg-type]


def inventory(s_ago: float = 300, **found: object) -> Inventory:
    """One file that would be lost; ``found`` replaces what was seen."""
    fields: dict[str, object] = {"files": 1, "size_bytes": 8, "rest": "1" * 32, "told": "{}"}
    return Inventory(NOW - timedelta(seconds=s_ago), **(fields | found))  # type: ignore[arg-type]


SHOWN = inventory()


def question(state: QuestionState, answered_s_ago: float | None = None, shown: Inventory = SHOWN) -> Question:
    at = None if answered_s_ago is None else NOW - timedelta(seconds=answered_s_ago)
    asked_at = NOW - timedelta(minutes=5)
    by = "U1" if at else None
    return Question("q1", "lease1", "U1", asked_at, state, by, at, fingerprint=shown.fingerprint, signs_read_at=NOW)


def looks(last: Inventory | None = None, shown: Inventory = SHOWN, *, is_fenced: bool = True) -> Looks:
    """What the question showed, and a last look where there is one."""
    return Looks(shown, None if last is None else LastLook(last, is_fenced))
