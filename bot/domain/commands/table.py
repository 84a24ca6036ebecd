"""Every verb with its parser: a new verb is a file and an entry here (and its help)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.domain.commands import data, jobs, keys, leases, money, rent, run
from bot.domain.commands.arguments import ParseContext
from bot.domain.commands.refusal import RefusalCode, refused
from bot.domain.commands.text import Line
from bot.domain.commands.verbs import Verb, nearest_verbs


@dataclass(frozen=True, slots=True)
class Help:
    """Help on one verb, or on all."""

    verb: Verb | None


Command = (
    rent.Rent
    | rent.RentForm
    | rent.Offers
    | leases.Status
    | leases.Release
    | leases.Stop
    | leases.Start
    | leases.Ssh
    | leases.Check
    | leases.Extend
    | leases.Keep
    | run.Run
    | jobs.Try
    | jobs.Jobs
    | jobs.Logs
    | jobs.Kill
    | jobs.Loss
    | data.Sync
    | data.Watch
    | data.Fetch
    | data.Disks
    | data.DiskDelete
    | data.Secret
    | keys.KeyAdd
    | keys.KeyList
    | keys.KeyRemove
    | money.Cost
    | money.PolicyShow
    | money.Audit
    | Help
)
Parser = Callable[[Line, ParseContext], Command]


def parse_help(line: Line, _context: ParseContext) -> Help:
    """``help`` or ``help VERB``; what follows the verb does not matter."""
    topic = line.plain.split(maxsplit=1)[:1]
    if not topic:
        return Help(None)
    verb = as_verb(topic[0])
    if verb is None:
        raise refused(RefusalCode.UNKNOWN_VERB, Verb.HELP, topic[0], nearest=nearest_verbs(topic[0]))
    return Help(verb)


def as_verb(word: str) -> Verb | None:
    """The verb that ``word`` is, whatever its case and the punctuation or emphasis around it."""
    folded = word.strip("*_~").rstrip("?!.,:;").lower()
    return Verb(folded) if folded in list(Verb) else None


PARSERS: Mapping[Verb, Parser] = MappingProxyType(
    {
        Verb.RENT: rent.parse_rent,
        Verb.OFFERS: rent.parse_offers,
        Verb.STATUS: leases.parse_status,
        Verb.RUN: run.parse_run,
        Verb.TRY: leases.one_lease(Verb.TRY, jobs.Try),
        Verb.JOBS: leases.one_lease(Verb.JOBS, jobs.Jobs),
        Verb.LOGS: jobs.parse_logs,
        Verb.KILL: jobs.parse_kill,
        Verb.LOSS: jobs.parse_loss,
        Verb.CHECK: leases.one_lease(Verb.CHECK, leases.Check),
        Verb.SYNC: data.parse_sync,
        Verb.FETCH: data.parse_fetch,
        Verb.EXTEND: leases.timed_lease(Verb.EXTEND, leases.Extend),
        Verb.KEEP: leases.timed_lease(Verb.KEEP, leases.Keep),
        Verb.STOP: leases.one_lease(Verb.STOP, leases.Stop),
        Verb.START: leases.one_lease(Verb.START, leases.Start),
        Verb.RELEASE: leases.parse_release,
        Verb.SSH: leases.one_lease(Verb.SSH, leases.Ssh),
        Verb.KEY: keys.parse_key,
        Verb.COST: money.parse_cost,
        Verb.POLICY: money.parse_policy,
        Verb.AUDIT: money.parse_audit,
        Verb.DISKS: data.parse_disks,
        Verb.WATCH: data.parse_watch,
        Verb.SECRET: data.parse_secret,
        Verb.HELP: parse_help,
    }
)
