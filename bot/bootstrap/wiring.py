"""The bot, wired and not started: which services and reconcilers there are, and what they are made of."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.archive.bandwidth import Bandwidth
from bot.archive.environment import told_destination
from bot.archive.rclone import RcloneArchive
from bot.bootstrap.parts import new_id, now
from bot.charts.child import ChildPlotter
from bot.config import Settings
from bot.domain.ending import EndRule
from bot.domain.idle import IdleRule
from bot.domain.instance import Capabilities
from bot.domain.inventory.wishes import WatchedPath
from bot.domain.jobs.timing import JobTiming
from bot.domain.lifecycle.timing import Timing
from bot.domain.policy import Policy
from bot.ports.faults import Faults
from bot.ports.provider import Provider
from bot.ports.running_jobs import RunningJobs
from bot.remote.examine import ScriptExaminer
from bot.remote.ssh import SshRemote, script_text
from bot.remote.survey import ScriptSurveyor
from bot.scheduler import Line, Scheduler
from bot.services.answer_question import AnswerQuestion
from bot.services.deliver_messages import DeliverMessages
from bot.services.deliver_notices import DeliverNotices
from bot.services.draw_pictures import DrawPictures
from bot.services.end_jobs import EndJobs
from bot.services.keep_disks import KeepDisks
from bot.services.keep_homes import KeepHomes
from bot.services.look_before_asking import LookBeforeAsking
from bot.services.mind_ends import MindEnds, SteadyClock
from bot.services.observe_use import ObserveUse
from bot.services.read_answers import Connected, ReadAnswers
from bot.services.read_home import ReadHome
from bot.services.reconcile_jobs import ActOnJobs, ReconcileJobs
from bot.services.reconcile_lease import Act, ReconcileLease, TakeLastLook
from bot.services.refresh_offers import RefreshOffers
from bot.services.run_checks import RunChecks
from bot.services.run_fetches import RunFetches
from bot.services.run_syncs import RunSyncs
from bot.services.send_curves import SendCurves
from bot.services.send_lists import SendLists
from bot.services.send_logs import SendLogs
from bot.services.watch_runs import WatchRuns
from bot.vault import FernetVault
from handlers.courier import SlackCourier
from handlers.home_publisher import SlackHomes
from handlers.jobs import TRIAL_SCRIPT
from handlers.notifier import SlackNotifier
from handlers.signs import SlackSigns
from storage.store import SqlStore

_MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that is wired and not started."""

    settings: Settings
    policy: Policy
    idle: IdleRule
    ends: EndRule
    connected: Connected
    """When somebody last began to listen to Slack."""
    store: SqlStore
    providers: Mapping[str, Provider]
    capabilities: Mapping[str, Capabilities]
    vault: FernetVault
    remote: SshRemote
    scheduler: Scheduler
    faults: Faults

    @property
    def jobs(self) -> RunningJobs:
        """What runs on machines by our doing."""
        return EndJobs(self.store, self.scheduler, now)

    def lines(
        self, notifier: SlackNotifier, homes: SlackHomes, signs: SlackSigns, courier: SlackCourier
    ) -> tuple[Line, ...]:
        """The schedule."""
        settings = self.settings
        examiner = ScriptExaminer(self.remote, settings.check_url)
        surveyor = ScriptSurveyor(self.remote, self.vault, self.capabilities, settings.settle_s, self._watched)
        act = Act(self.providers, self.remote, examiner, surveyor, self.vault, now)
        last_look = TakeLastLook(surveyor, self.jobs, self.faults, now)
        timing = Timing(
            poll_s=1.0,
            boot_limit_s=settings.local_boot_limit_s,
            look_s=settings.look_s,
            stuck_after_s=settings.release_stuck_s,
            grace_s=settings.release_grace_s,
            settle_s=settings.settle_s,
        )
        leases = ReconcileLease(
            self.store, act, last_look, self.scheduler, self.faults, now, new_id, timing, self.capabilities
        )
        messages = DeliverMessages(
            self.store,
            notifier,
            self.scheduler,
            self.faults,
            now,
            self.policy,
            self.capabilities,
            settings.release_grace_s,
            settings.home_channel,
            self.ends,
            bool(settings.archive),
            settings.job_message_s,
        )
        return (
            Line(leases, every_s=0.25, workers=32),
            Line(messages, every_s=1.0, workers=4),
            Line(DeliverNotices(self.store, notifier, self.faults, now), every_s=1.0, workers=4),
            self._homes(homes),
            *self._watching(examiner),
            *self._keeping(surveyor, courier),
            *self._asking(signs),
            *self._following(notifier),
            Line(SendCurves(self.store, ChildPlotter(), courier, self.faults, now), every_s=2.0, workers=2),
            Line(SendLogs(self.store, self.remote, self.vault, courier, self.faults, now), every_s=2.0, workers=2),
            Line(RefreshOffers(self.store, now, self.providers), every_s=settings.offers_s, workers=4),
        )

    def _homes(self, publisher: SlackHomes) -> Line:
        """The line that keeps people's homes current."""
        read = ReadHome(self.store, now, self.policy, self.capabilities)
        return Line(KeepHomes(self.store, read, publisher, self.faults, now, self.policy), every_s=1.0, workers=2)

    def _watching(self, examiner: ScriptExaminer) -> tuple[Line, ...]:
        """The lines that look at machines people have."""
        parts = (self.store, examiner, self.vault, self.scheduler, self.faults, now, self.capabilities)
        rule = self.idle
        return (
            Line(RunChecks(*parts), every_s=5.0, workers=8),
            Line(ObserveUse(*parts, rule, new_id), every_s=min(5.0, rule.look_every_s / 4), workers=16),
        )

    def _watched(self, lease_id: str) -> tuple[WatchedPath, ...]:
        with self.store.read() as tx:
            return tx.watched.of(lease_id)

    def _keeping(self, surveyor: ScriptSurveyor, courier: SlackCourier) -> tuple[Line, ...]:
        """The lines that see to it that nothing is lost by accident."""
        settings = self.settings
        cap = round(settings.archive_mib_per_s * _MIB)
        bandwidth = Bandwidth(cap, settings.archive_copies) if cap else None
        archive = RcloneArchive(settings.archive, settings.data_dir / "copies", os.environ, bandwidth=bandwidth)
        label = told_destination(settings.archive)
        looks = LookBeforeAsking(self.store, surveyor, self.jobs, self.scheduler, self.faults, now, self.idle)
        syncs = RunSyncs(
            self.store,
            surveyor,
            archive,
            self.jobs,
            self.scheduler,
            self.faults,
            now,
            new_id,
            lambda: self.scheduler.is_stopping,
            label,
        )
        fetches = RunFetches(self.store, archive, courier, self.faults, now, lambda: self.scheduler.is_stopping, label)
        grace = timedelta(seconds=settings.release_grace_s)
        disks = KeepDisks(self.store, self.providers, self.scheduler, self.faults, now, new_id, grace)
        return (
            Line(looks, every_s=1.0, workers=16),
            Line(syncs, every_s=2.0, workers=settings.archive_copies),
            Line(fetches, every_s=2.0, workers=2),
            Line(disks, every_s=1.0, workers=4),
            Line(SendLists(self.store, courier, self.faults, now), every_s=2.0, workers=1),
        )

    @property
    def answers(self) -> AnswerQuestion:
        """What takes the answers to questions."""
        parts = (self.store, self.scheduler, self.faults, now, new_id, self.policy)
        return AnswerQuestion(*parts, bool(self.settings.archive))

    def _asking(self, signs: SlackSigns) -> tuple[Line, ...]:
        """The lines that ask at a lease's end, and that read answers nobody heard."""
        settings, parts = self.settings, (self.scheduler, self.faults, now)
        steady = SteadyClock(now, time.monotonic)
        ends = MindEnds(self.store, *parts, new_id, steady, self.capabilities, self.ends, self.idle)
        answers = ReadAnswers(
            self.store,
            signs,
            self.answers,
            *parts,
            self.policy,
            settings.release_grace_s,
            settings.signs_read_s,
            self.connected,
        )
        every_s = min(5.0, settings.end_warn_s / 4, settings.end_stop_s / 4)
        return Line(ends, every_s=every_s, workers=4), Line(answers, every_s=1.0, workers=4)

    def _following(self, notifier: SlackNotifier) -> tuple[Line, ...]:
        """The lines that follow jobs and draw their curves."""
        wake, settings = self.scheduler, self.settings
        timing = JobTiming(poll_s=settings.job_look_s)
        act = ActOnJobs(self.remote, self.vault, self.capabilities, {TRIAL_SCRIPT: script_text(TRIAL_SCRIPT)}, timing)
        pictures = DrawPictures(self.store, ChildPlotter(), notifier, wake, self.faults, now, settings.picture_s)
        return (
            Line(
                ReconcileJobs(self.store, act, wake, self.faults, now, new_id),
                every_s=min(1.0, timing.poll_s),
                workers=16,
            ),
            Line(
                WatchRuns(self.store, wake, self.faults, now, 5 * timing.poll_s),
                every_s=min(5.0, timing.poll_s),
                workers=2,
            ),
            Line(pictures, every_s=min(5.0, settings.picture_s / 4), workers=2),
        )

    @property
    def archive_label(self) -> str:
        """Where copies go, as people are told; empty where there is no archive."""
        return told_destination(self.settings.archive) if self.settings.archive else ""
