"""The receipt when a lease ends: quoted against cost, time and use, who said yes to what, what still bills."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.instance import Capabilities, Keeps
from bot.domain.lease import Lease
from bot.domain.ledger import Interval, total_microusd
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from bot.domain.use import Activity

CONSENTS: Final = frozenset({"release-approved", "keep-anyway", "extend", "rent-approved"})
"""Acts by which somebody took something on themselves."""
_TAKES_BACK: Final = frozenset({"release-declined", "release-asked", "asked-anew"})
"""After these an earlier yes to a release counts no more."""
MOST_CONSENTS: Final = 20


@dataclass(frozen=True, slots=True)
class Consent:
    """Somebody's yes: ``what`` is the action in the audit."""

    by: str
    what: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Receipt:
    """All sums are of the whole lease."""

    quote_microusd: int
    cost_microusd: int
    running_s: float
    stopped_s: float
    busy_s: float
    idle_s: float
    unknown_s: float
    consents: tuple[Consent, ...]
    keeps: Keeps | None
    """What the provider keeps (and goes on billing for) after a release; None where that is not known."""

    def facts(self, data: Facts | None = None) -> Facts:
        """For the notice. ``data``: what was archived and verified where, and what was knowingly lost, as facts
        whose names begin with ``data_``; `handlers.words.receipt.data_lines` says them."""
        consents = " ".join(f"{c.by}:{c.what}:{int(c.at.timestamp())}" for c in self.consents)
        return {
            "quote_microusd": self.quote_microusd,
            "cost_microusd": self.cost_microusd,
            "running_s": self.running_s,
            "stopped_s": self.stopped_s,
            "busy_s": self.busy_s,
            "idle_s": self.idle_s,
            "unknown_s": self.unknown_s,
            "consents": consents,
            "keeps": self.keeps.value if self.keeps is not None else None,
            **(data or {}),
        }


def receipt_of(
    lease: Lease,
    intervals: tuple[Interval, ...],
    activity: Activity | None,
    audit: Iterable[AuditEntry],
    able: Capabilities | None,
    now: datetime,
) -> Receipt:
    """``audit``: the lease's entries, in any order."""
    running_s, stopped_s = _spent_s(lease, intervals, now)
    said = _consents(audit)
    return Receipt(
        quote_microusd=lease.quote_microusd,
        cost_microusd=total_microusd(intervals, now),
        running_s=running_s,
        stopped_s=stopped_s,
        busy_s=activity.busy_s if activity is not None else 0.0,
        idle_s=activity.idle_s if activity is not None else 0.0,
        unknown_s=activity.unknown_s if activity is not None else 0.0,
        consents=tuple(Consent(e.actor, e.action, e.at) for e in said[-MOST_CONSENTS:]),
        keeps=Keeps.DATA if lease.keeps_disk else able.release_keeps if able is not None else None,
    )


def _consents(audit: Iterable[AuditEntry]) -> list[AuditEntry]:
    """In their order; a yes to a release that was taken back, or not carried out, is none."""
    said: list[AuditEntry] = []
    for entry in sorted(audit, key=lambda entry: entry.at):
        if entry.action in _TAKES_BACK:
            said = [one for one in said if one.action != "release-approved"]
        elif entry.action in CONSENTS:
            said.append(entry)
    return said


def receipt_notice(lease: Lease, facts: Facts) -> Notice:
    """Once a lease."""
    return Notice(f"receipt:{lease.id}", NoticeKind.RECEIPT, lease.id, facts=facts)


def _spent_s(lease: Lease, intervals: tuple[Interval, ...], now: datetime) -> tuple[float, float]:
    """(at the price of running, at any other): a free stop leaves no interval and counts as neither."""
    running_s = stopped_s = 0.0
    for interval in intervals:
        span_s = max(0.0, ((interval.ended_at or now) - interval.started_at).total_seconds())
        if interval.rate_microusd_per_hour == lease.offer.price_microusd_per_hour:
            running_s += span_s
        else:
            stopped_s += span_s
    return running_s, stopped_s
