"""The jobs reconciler: `reconcile` decides and stores, `act` talks to the machine."""

from bot.services.reconcile_jobs.act import ActOnJobs
from bot.services.reconcile_jobs.reconcile import ReconcileJobs

__all__ = ["ActOnJobs", "ReconcileJobs"]
