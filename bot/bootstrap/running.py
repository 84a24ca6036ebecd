"""Build the bot and run it until it is told to stop."""

import os
import socket
import sys
import threading
import time
from datetime import timedelta
from typing import Final

import structlog

from bot.bootstrap.desk import desk_of
from bot.bootstrap.dropping import dropping_lines
from bot.bootstrap.parts import (
    end_rule_from,
    faults_from,
    idle_rule_from,
    new_id,
    now,
    policy_from,
    providers_from,
    vault_from,
)
from bot.bootstrap.wiring import Bot
from bot.config import Settings, read_policy
from bot.domain.claim import Duty
from bot.errors import SettingsError
from bot.remote.ssh import SshRemote
from bot.scheduler import Scheduler
from bot.services.read_answers import Connected
from handlers.courier import SlackCourier
from handlers.drops import SlackDropTeller
from handlers.funnel import Funnel
from handlers.home_publisher import SlackHomes
from handlers.notifier import SlackNotifier
from handlers.people import People
from handlers.shared_files import SlackSharedFiles
from handlers.signs import SlackSigns
from handlers.slack_app import SlackAway, SlackConnection, TokensRefused, clients, who_am_i
from storage.schema import migrate
from storage.store import SqlStore

log = structlog.get_logger()
RECONNECT_S: Final = 5.0
SWITCH_S: Final = 0.0005


def build(settings: Settings) -> Bot:
    """Wire everything; migrates the database. Nothing runs yet.

    Raises:
        SettingsError: settings or policy have faults.
    """
    policy = policy_from(read_policy(settings.policy_file), settings.owner_first_s)
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
        idle=idle_rule_from(settings, policy),
        ends=end_rule_from(settings, policy),
        connected=Connected(now()),
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
    notifier = SlackNotifier(delivering, time.monotonic, settings.slack_edits_per_minute)
    signs = SlackSigns(delivering, People(delivering, time.monotonic))
    lines = bot.lines(notifier, SlackHomes(delivering, time.monotonic), signs, SlackCourier(delivering))
    shared = SlackSharedFiles(delivering, time.monotonic)
    teller = SlackDropTeller(delivering, settings.thread_files_bytes)
    bot.scheduler.start((*lines, *dropping_lines(bot, shared, teller)))
    connection: SlackConnection | None = None
    running = False
    try:
        while not stop.is_set() and connection is None:
            try:
                identity = who_am_i(listening)
                desk = desk_of(bot, People(listening, time.monotonic), identity)
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
            if connection.is_renewed():
                # What was said while nobody listened has to be read.
                bot.connected.at = now()
                bot.scheduler.wake(Duty.ANSWER)
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
