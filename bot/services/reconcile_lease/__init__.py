"""The lease reconciler: `reconcile` decides and stores, `act` and `last_look` do one thing in the outside world."""

from bot.services.reconcile_lease.act import Act
from bot.services.reconcile_lease.last_look import TakeLastLook
from bot.services.reconcile_lease.reconcile import ReconcileLease

__all__ = ["Act", "ReconcileLease", "TakeLastLook"]
