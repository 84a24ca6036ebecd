"""The one place that names concrete classes: settings in, a running bot out."""

import os
import random
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from bot.archive.environment import told_destination
from bot.archive.rclone import RcloneArchive
from bot.charts.child import ChildPlotter
from bot.config import PolicyFile, Settings, read_policy
from bot.domain.idle import IdleRule
from bot.domain.instance import Capabilities
from bot.domain.jobs.timing import JobTiming
from bot.domain.lifecycle.timing import Timing
from bot.domain.money import from_usd
from bot.domain.policy import Policy
from bot.domain.secret import Secret
from bot.errors import SettingsError
from bot.ports.faults import FaultPoint, Faults, NoFaults
from bot.ports.provider import Provider
from bot.ports.running_jobs import RunningJobs
from bot.providers.local.provider import LocalProvider
from bot.remote.examine import ScriptExaminer
from bot.remote.public_keys import read_public_key
from bot.remote.ssh import SshRemote, script_text
from bot.remote.survey import ScriptSurveyor
from bot.scheduler import Line, Scheduler
from bot.services.check import Check
from bot.services.cost import Cost
from bot.services.deliver_messages import DeliverMessages
from bot.services.deliver_notices import DeliverNotices
from bot.services.draw_pictures import DrawPictures
from bot.services.end_jobs import EndJobs
from bot.services.find_lease import FindLease
from bot.services.keep_keys import KeepKeys
from bot.services.keep_quiet import KeepQuiet
from bot.services.kill_job import KillJob
from bot.services.know_people import KnowPeople
from bot.services.look_before_asking import LookBeforeAsking
from bot.services.observe_use import ObserveUse
from bot.services.operate import Operate
from bot.services.read import Read
from bot.services.read_jobs import ReadJobs
from bot.services.reconcile_jobs import ActOnJobs, ReconcileJobs
from bot.services.reconcile_lease import Act, ReconcileLease, TakeLastLook
from bot.services.refresh_offers import RefreshOffers
from bot.services.release import Release
from bot.services.rent import Rent
from bot.services.run_checks import RunChecks
from bot.services.run_job import RunJob
from bot.services.run_syncs import RunSyncs
from bot.services.sync import Sync
from bot.vault import FernetVault, load_or_make_key
from handlers.desk import Desk
from handlers.funnel import Funnel
from handlers.jobs import TRIAL_SCRIPT
from handlers.notifier import SlackNotifier
from handlers.people import People
from handlers.slack_app import Identity, SlackAway, SlackConnection, TokensRefused, clients, who_am_i
from storage.schema import migrate
from storage.store import SqlStore

log = structlog.get_logger()
RECONNECT_S: Final = 5.0
SWITCH_S: Final = 0.0005
SYNCS_AT_ONCE: Final = 4
"""Copies in the whole bot: each is a process of rclone, and they share one network."""


def now() -> datetime:
    """The real clock."""
    return datetime.now(UTC)  # noqa: TID251 -- the entry point looks at a clock for everybody


def new_id() -> str:
    """16 hexadecimal digits."""
    return secrets.token_hex(8)


class KillAt:
    """Faults for tests: the process ends at a named point as by SIGKILL, the ``nth`` time it is reached."""

    def __init__(self, point: FaultPoint, nth: int) -> None:
        self._point, self._left = point, nth
        self._lock = threading.Lock()

    def reach(self, point: FaultPoint) -> None:
        """End the process, if this is the place."""
        if point is not self._point:
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def faults_from(environment: Mapping[str, str]) -> Faults:
    """``GPUBOT_KILL_AT=launch.called`` or ``launch.called:2``; nothing happens without it."""
    wanted = environment.get("GPUBOT_KILL_AT", "")
    if not wanted:
        return NoFaults()
    point, _, nth = wanted.partition(":")
    return KillAt(FaultPoint(point), int(nth or 1))


def policy_from(file: PolicyFile) -> Policy:
    """What the policy file means."""
    return Policy(
        members=frozenset(file.members),
        approvers=frozenset(file.approvers),
        admins=frozenset(file.admins),
        channels=frozenset(file.channels),
        rent_limit_microusd=from_usd(file.rent.limit_usd),
        approval_limit_microusd=from_usd(file.rent.approval_limit_usd),
        longest_lease_s=file.rent.longest_days * 86_400,
    )


def providers_from(settings: Settings) -> dict[str, Provider]:
    """The providers that the settings name.

    Raises:
        SettingsError: one is not known.
    """
    known = {"local"}
    unknown = [name for name in settings.provider_names if name not in known]
    if unknown or not settings.provider_names:
        named = ", ".join(unknown) or "nothing"
        raise SettingsError((f"PROVIDERS: {named} is not known; there is {', '.join(sorted(known))}",))
    local = LocalProvider(
        settings.data_dir / "local",
        boot_s=settings.local_boot_s,
        boot_limit_s=settings.local_boot_limit_s,
        python=settings.local_python,
    )
    return {"local": local}


def vault_from(settings: Settings) -> FernetVault:
    """The vault, with the key of the settings or the one in the key file, which is made at first start."""
    if settings.secret_key is not None:
        return FernetVault(Secret(settings.secret_key.get_secret_value()))
    return FernetVault(load_or_make_key(settings.data_dir / "secret.key"))


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that is wired and not started."""

    settings: Settings
    policy: Policy
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

    def lines(self, notifier: SlackNotifier) -> tuple[Line, ...]:
        """The schedule."""
        settings = self.settings
        examiner = ScriptExaminer(self.remote, settings.check_url)
        surveyor = ScriptSurveyor(self.remote, self.vault, self.capabilities, settings.settle_s)
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
            bool(settings.archive),
            settings.job_message_s,
        )
        return (
            Line(leases, every_s=0.25, workers=32),
            Line(messages, every_s=1.0, workers=4),
            Line(DeliverNotices(self.store, notifier, self.faults, now), every_s=1.0, workers=4),
            *self._watching(examiner),
            *self._keeping(surveyor),
            *self._following(notifier),
            Line(RefreshOffers(self.store, now, self.providers), every_s=settings.offers_s, workers=4),
        )

    def _watching(self, examiner: ScriptExaminer) -> tuple[Line, ...]:
        """The lines that look at machines people have."""
        parts = (self.store, examiner, self.vault, self.scheduler, self.faults, now, self.capabilities)
        rule = IdleRule(self.settings.idle_after_s, self.settings.use_look_s)
        return (
            Line(RunChecks(*parts), every_s=5.0, workers=8),
            Line(ObserveUse(*parts, rule), every_s=min(5.0, rule.look_every_s / 4), workers=16),
        )

    def _keeping(self, surveyor: ScriptSurveyor) -> tuple[Line, ...]:
        """The lines that see to it that nothing is lost by accident."""
        settings = self.settings
        archive = RcloneArchive(settings.archive, settings.data_dir / "copies", os.environ)
        looks = LookBeforeAsking(self.store, surveyor, self.jobs, self.scheduler, self.faults, now)
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
            told_destination(settings.archive),
        )
        return Line(looks, every_s=1.0, workers=16), Line(syncs, every_s=2.0, workers=SYNCS_AT_ONCE)

    def _following(self, notifier: SlackNotifier) -> tuple[Line, ...]:
        """The lines that follow jobs and draw their curves."""
        wake, settings = self.scheduler, self.settings
        timing = JobTiming(poll_s=settings.job_look_s)
        act = ActOnJobs(self.remote, self.vault, self.capabilities, {TRIAL_SCRIPT: script_text(TRIAL_SCRIPT)}, timing)
        pictures = DrawPictures(self.store, ChildPlotter(), notifier, wake, self.faults, now, settings.picture_s)
        return (
            Line(ReconcileJobs(self.store, act, wake, self.faults, now), every_s=min(1.0, timing.poll_s), workers=16),
            Line(pictures, every_s=min(5.0, settings.picture_s / 4), workers=2),
        )

    def desk(self, people: People, identity: Identity) -> Desk:
        """What listeners may call."""
        store, wake, faults, policy = self.store, self.scheduler, self.faults, self.policy
        return Desk(
            find=FindLease(store),
            rent=Rent(store, self.vault, wake, faults, now, new_id, random.SystemRandom(), policy),
            release=Release(store, wake, faults, now, new_id, policy, bool(self.settings.archive)),
            sync=Sync(store, wake, faults, now, new_id, policy, bool(self.settings.archive)),
            operate=Operate(store, wake, faults, now, policy, self.capabilities),
            read=Read(store, now, policy, self.capabilities),
            run_job=RunJob(store, self.vault, wake, faults, now, new_id, policy),
            kill_job=KillJob(store, wake, faults, now, policy),
            jobs=ReadJobs(store, wake, now),
            keys=KeepKeys(store, wake, now),
            check=Check(store, wake, now, new_id, policy),
            keep_quiet=KeepQuiet(store, wake, now, policy),
            cost=Cost(store, now),
            know=KnowPeople(store, now),
            people=people,
            read_key=read_public_key,
            policy=policy,
            clock=now,
            team_id=identity.team_id,
            bot_user=identity.bot_user,
            grace_s=self.settings.release_grace_s,
        )


def build(settings: Settings) -> Bot:
    """Wire everything; migrates the database. Nothing runs yet.

    Raises:
        SettingsError: settings or policy have faults.
    """
    policy = policy_from(read_policy(settings.policy_file))
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    providers = providers_from(settings)
    vault = vault_from(settings)
    applied = migrate(settings.database_url)
    if applied:
        log.info("database.migrated", revisions=applied)
    store = SqlStore(settings.database_url)
    holder = f"{socket.gethostname()}:{os.getpid()}:{new_id()}"
    scheduler = Scheduler(store, now, holder, timedelta(seconds=settings.claim_ttl_s))
    return Bot(
        settings=settings,
        policy=policy,
        store=store,
        providers=providers,
        capabilities={name: provider.capabilities() for name, provider in providers.items()},
        vault=vault,
        remote=SshRemote(),
        scheduler=scheduler,
        faults=faults_from(os.environ),
    )


def run(settings: Settings, stop: threading.Event) -> None:
    """Run until ``stop`` is set, then drain.

    Raises:
        SettingsError: settings or policy have faults, or Slack refuses a token.
    """
    # Whoever holds the database's one writer lets go of the interpreter at each statement, and with Python's 5 ms
    # would wait long for it among many busy threads; all others wait for the writer.
    sys.setswitchinterval(SWITCH_S)
    bot = build(settings)
    listening, delivering = clients(settings.slack_bot_token.get_secret_value(), settings.slack_api_url)
    # Machines are looked after also while Slack is away.
    bot.scheduler.start(bot.lines(SlackNotifier(delivering, time.monotonic)))
    connection: SlackConnection | None = None
    running = False
    try:
        while not stop.is_set() and connection is None:
            try:
                identity = who_am_i(listening)
                desk = bot.desk(People(listening, time.monotonic), identity)
                app_token = settings.slack_app_token.get_secret_value()
                connection = SlackConnection(desk, Funnel(new_id), listening, app_token)
            except SlackAway:
                log.warning("slack.away")
                stop.wait(RECONNECT_S)
        while not stop.is_set() and connection is not None:
            # A watchdog: the clients reconnect by themselves; this mends what they did not.
            if connection.connect() and not running:
                running = True
                log.info("bot.running")
            stop.wait(RECONNECT_S)
    except TokensRefused as error:
        raise SettingsError((str(error),)) from error
    finally:
        log.info("bot.stopping")
        if connection is not None:
            connection.close()
        bot.scheduler.stop()
        bot.remote.close()
        bot.store.close()
