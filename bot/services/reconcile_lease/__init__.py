"""The lease reconciler: `reconcile` decides and stores, `act` does one thing in the outside world."""

from bot.services.reconcile_lease.act import Act
from bot.services.reconcile_lease.reconcile import ReconcileLease

__all__ = ["Act", "ReconcileLease"]
