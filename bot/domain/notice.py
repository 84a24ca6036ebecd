"""Notices: what people should learn, once per occasion, as a kind and facts; `handlers.words` makes the sentence."""

from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum

from bot.domain.problem import Facts


class NoticeKind(StrEnum):
    """What happened; the words for each are in `handlers.words.notices`."""

    LEASE_READY = "lease-ready"
    CARD_ELSEWHERE = "card-elsewhere"
    LEASE_UNFIT = "lease-unfit"
    LEASE_FAILED = "lease-failed"
    NEXT_OFFER = "next-offer"
    WENT_DOWN = "went-down"
    STOPPED = "stopped"
    START_REFUSED = "start-refused"
    STARTED = "started"
    EXTENDED = "extended"
    KEPT_ANYWAY = "kept-anyway"
    RELEASE_STUCK = "release-stuck"
    RELEASED = "released"
    DISK_KEPT = "disk-kept"
    DISK_LOST = "disk-lost"
    DISK_TOUCHED = "disk-touched"
    DISK_DELETED = "disk-deleted"
    VANISHED = "vanished"
    ENDS_SOON = "ends-soon"
    ENDED = "ended"
    STOPPED_AT_END = "stopped-at-end"
    OWNER_ASKED = "owner-asked"
    SIGN_REFUSED = "sign-refused"
    SIGNS_CONTRADICT = "signs-contradict"
    HOST_KEY_CHANGED = "host-key-changed"
    CHECKED = "checked"
    IDLE = "idle"
    KEPT_QUIET = "kept-quiet"
    RECEIPT = "receipt"
    FOUND_CLEAN = "found-clean"
    JOB_ENDED = "job-ended"
    JOB_UNSEEN = "job-unseen"
    JOB_SEEN_AGAIN = "job-seen-again"
    JOB_OUTPUT_CUT = "job-output-cut"
    RUN_VERDICT = "run-verdict"
    RUN_SILENT = "run-silent"
    RUN_RESTS_GPU = "run-rests-gpu"
    RUN_FILLS_DISK = "run-fills-disk"
    RUN_WILL_NOT_FIT = "run-will-not-fit"


class Audience(StrEnum):
    """Whom a notice reaches."""

    THREAD = "thread"
    """The thread of the lease's card."""
    THREAD_AND_CHANNEL = "thread-and-channel"
    """The same, shown in the channel too: it needs a person."""
    PERSON = "person"
    """A direct message: to the user in the fact ``to``, else to the lease's owner."""


class Priority(IntEnum):
    """What goes out first when Slack's budget is short: lower is sooner."""

    PERSON = 0
    STATE = 1
    FIGURES = 2


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to say. ``occasion`` is unique: the same one is never said twice."""

    occasion: str
    kind: NoticeKind
    lease_id: str
    audience: Audience = Audience.THREAD
    priority: Priority = Priority.STATE
    at_most_once: bool = False
    """A reminder: better lost than repeated. All else is at least once."""
    facts: Facts = field(default_factory=dict)

    def with_facts(self, **more: str | int | float | bool | None) -> "Notice":
        """The same, with more to fill its sentence."""
        return replace(self, facts={**self.facts, **more})
