"""The receipt: whose yes it names."""

from datetime import timedelta

from bot.domain.audit import AuditEntry
from bot.domain.lease import LeaseState
from bot.domain.receipt import receipt_of
from tests.domain.lifecycle.sample import NOW, handed_over


def named(*actions: str) -> list[str]:
    """What a receipt names of acts, each a minute after the one before, whatever their order in the audit."""
    acts = [AuditEntry(NOW + timedelta(minutes=at), "U1", what, "lease1") for at, what in enumerate(actions)]
    receipt = receipt_of(handed_over(LeaseState.RELEASED), (), None, reversed(acts), None, NOW)
    return [consent.what for consent in receipt.consents]


def test_a_yes_that_was_taken_back_or_not_carried_out_is_not_named() -> None:
    again = ("release-asked", "release-approved")
    assert named("rent-approved", *again, "release-declined", *again) == ["rent-approved", "release-approved"]
    assert named("extend", *again, "asked-anew", "release-approved") == ["extend", "release-approved"]
    assert named(*again, "release-declined") == []
