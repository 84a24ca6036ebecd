"""The desk: everything a listener may call, and what it knows about who is asking."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.people import Actor
from bot.domain.places import Place
from bot.domain.policy import Policy
from bot.ports.clock import Clock
from bot.services.answer_question import AnswerQuestion
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
from handlers.people import People


@dataclass(frozen=True, slots=True)
class Desk:
    """The services that commands and buttons use, and the rules of the door."""

    find: FindLease
    rent: Rent
    release: Release
    answers: AnswerQuestion
    sync: Sync
    watch: WatchPaths
    fetch: Fetch
    disks: Disks
    take_files: TakeFiles | None
    """None where files dropped in threads are not taken."""
    operate: Operate
    read: Read
    questions: ReadQuestions
    run_job: RunJob
    kill_job: KillJob
    jobs: ReadJobs
    ask_list: AskList
    ask_log: AskLog
    ask_curve: AskCurve
    keys: KeepKeys
    secrets: KeepSecrets
    check: Check
    keep_quiet: KeepQuiet
    cost: Cost
    home: OpenHome
    welcome: Welcome
    know: KnowPeople
    people: People
    read_key: Callable[[str], tuple[str, str, str]]
    """Reads a pasted key into its line, fingerprint and comment; raises a `GpubotError` where it is none."""
    policy: Policy
    clock: Clock
    team_id: str
    bot_user: str
    grace_s: float


@dataclass(frozen=True, slots=True)
class Asked:
    """One delivery: who asks, where, when, and the key that makes it unique."""

    actor: Actor
    place: Place
    delivery: str
    now: datetime
    opens_forms: bool = False
    """Whether a form can be opened in answer: commands and presses bring a trigger, mentions and messages do not."""

    @property
    def zone(self) -> ZoneInfo:
        """The clock of whoever asks; one that is not known is UTC."""
        try:
            return ZoneInfo(self.actor.tz)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")
