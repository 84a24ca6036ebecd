"""What Slack's listeners may call of a wired bot."""

import random

from bot.bootstrap.parts import new_id, now
from bot.bootstrap.wiring import Bot
from bot.remote.public_keys import read_public_key
from bot.services.ask_curve import AskCurve
from bot.services.ask_list import AskList
from bot.services.ask_log import AskLog
from bot.services.check import Check
from bot.services.cost import Cost
from bot.services.disks import Disks
from bot.services.fetch import Fetch
from bot.services.find_lease import FindLease
from bot.services.keep_keys import KeepKeys
from bot.services.keep_quiet import KeepQuiet
from bot.services.keep_secrets import KeepSecrets
from bot.services.kill_job import KillJob
from bot.services.know_people import KnowPeople
from bot.services.open_home import OpenHome
from bot.services.operate import Operate
from bot.services.read import Read
from bot.services.read_jobs import ReadJobs
from bot.services.read_questions import ReadQuestions
from bot.services.release import Release
from bot.services.rent import Rent
from bot.services.run_job import RunJob
from bot.services.sync import Sync
from bot.services.take_files import TakeFiles
from bot.services.watch_paths import WatchPaths
from bot.services.welcome import Welcome
from handlers.desk import Desk
from handlers.people import People
from handlers.slack_app import Identity


def desk_of(bot: Bot, people: People, identity: Identity) -> Desk:
    """What listeners may call."""
    store, wake, faults, policy = bot.store, bot.scheduler, bot.faults, bot.policy
    return Desk(
        find=FindLease(store),
        rent=Rent(store, bot.vault, wake, faults, now, new_id, random.SystemRandom(), policy),
        release=Release(store, wake, faults, now, new_id, policy, bot.capabilities),
        answers=bot.answers,
        sync=Sync(store, wake, faults, now, new_id, policy, bool(bot.settings.archive)),
        watch=WatchPaths(store, now, policy, bot.capabilities),
        fetch=Fetch(store, wake, faults, now, new_id, policy, bot.archive_label),
        disks=Disks(store, wake, now, new_id, policy),
        take_files=TakeFiles(store, wake, faults, now, new_id, policy) if bot.settings.thread_files_mib else None,
        operate=Operate(store, wake, faults, now, policy, bot.capabilities),
        read=Read(store, now, policy, bot.capabilities),
        questions=ReadQuestions(store, policy),
        run_job=RunJob(
            store, bot.vault, wake, faults, now, new_id, policy, bot.capabilities, bool(bot.settings.archive)
        ),
        kill_job=KillJob(store, wake, faults, now, policy),
        jobs=ReadJobs(store, wake, now),
        ask_list=AskList(store, wake, now, new_id),
        ask_log=AskLog(store, wake, now, new_id),
        ask_curve=AskCurve(store, wake, now, new_id),
        keys=KeepKeys(store, wake, now),
        secrets=KeepSecrets(store, bot.vault, now),
        check=Check(store, wake, now, new_id, policy),
        keep_quiet=KeepQuiet(store, wake, now, policy),
        cost=Cost(store, now),
        home=OpenHome(store, wake, now),
        welcome=Welcome(store, now),
        know=KnowPeople(store, now),
        people=people,
        read_key=read_public_key,
        policy=policy,
        clock=now,
        team_id=identity.team_id,
        bot_user=identity.bot_user,
        grace_s=bot.settings.release_grace_s,
    )
