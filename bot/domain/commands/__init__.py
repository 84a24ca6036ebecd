"""What people type, read into typed commands or typed refusals."""

from bot.domain.commands.arguments import ParseContext
from bot.domain.commands.data import DiskDelete, Disks, Fetch, Secret, SecretAction, Sync, Watch, WatchAction
from bot.domain.commands.jobs import JobRef, Jobs, Kill, Logs, Loss, Try
from bot.domain.commands.keys import KeyAdd, KeyList, KeyRemove
from bot.domain.commands.leases import ALL, All, Check, Extend, Keep, Person, Release, Ssh, Start, Status, Stop
from bot.domain.commands.money import Audit, Cost, Period, PolicyShow
from bot.domain.commands.parse import parse
from bot.domain.commands.refusal import Refusal, RefusalCode
from bot.domain.commands.rent import Offers, Rent, RentForm
from bot.domain.commands.run import Run, RunOptions
from bot.domain.commands.table import Command, Help
from bot.domain.commands.verbs import Verb
from bot.domain.jobs.job import Continuation

__all__ = [
    "ALL",
    "All",
    "Audit",
    "Check",
    "Command",
    "Continuation",
    "Cost",
    "DiskDelete",
    "Disks",
    "Extend",
    "Fetch",
    "Help",
    "JobRef",
    "Jobs",
    "Keep",
    "KeyAdd",
    "KeyList",
    "KeyRemove",
    "Kill",
    "Logs",
    "Loss",
    "Offers",
    "ParseContext",
    "Period",
    "Person",
    "PolicyShow",
    "Refusal",
    "RefusalCode",
    "Release",
    "Rent",
    "RentForm",
    "Run",
    "RunOptions",
    "Secret",
    "SecretAction",
    "Ssh",
    "Start",
    "Status",
    "Stop",
    "Sync",
    "Try",
    "Verb",
    "Watch",
    "WatchAction",
    "parse",
]
