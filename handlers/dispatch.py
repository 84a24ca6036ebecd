"""From a typed text to an answer: parse, find the feature, say what became of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.domain import commands as c
from bot.domain.policy import Action, denied
from bot.errors import Refused
from handlers import archive, data, disks, jobs, keys, leases, machines, rent, rent_form, secrets
from handlers.blocks import Reply
from handlers.desk import Asked, Desk
from handlers.words import replies
from handlers.words.help import help_text
from handlers.words.refusals import sentence

Feature = Callable[[Desk, Asked, Any], Reply | None]


def _help(_desk: Desk, _asked: Asked, command: c.Help) -> str:
    return help_text(command.verb)


def _policy(desk: Desk, _asked: Asked, _command: c.PolicyShow) -> str:
    return replies.policy(desk.policy, desk.grace_s)


FEATURES: Final[Mapping[type, Feature]] = {
    c.Rent: rent.rent,
    c.RentForm: rent_form.show,
    c.Offers: rent.offers,
    c.Status: leases.status,
    c.Stop: leases.stop,
    c.Start: leases.start,
    c.Release: leases.release,
    c.Extend: leases.extend,
    c.Ssh: leases.ssh,
    c.Check: machines.check,
    c.Keep: machines.keep,
    c.Cost: machines.cost,
    c.KeyAdd: keys.add,
    c.KeyList: keys.list_keys,
    c.KeyRemove: keys.remove,
    c.Sync: data.sync,
    c.Watch: archive.watch,
    c.Disks: disks.show,
    c.DiskDelete: disks.delete,
    c.Fetch: archive.fetch,
    c.Audit: data.audit,
    c.Run: jobs.run,
    c.Try: jobs.try_out,
    c.Jobs: jobs.list_jobs,
    c.Logs: jobs.logs,
    c.Kill: jobs.kill,
    c.Loss: jobs.loss,
    c.Secret: secrets.secret,
    c.PolicyShow: _policy,
    c.Help: _help,
}


def answer(desk: Desk, asked: Asked, text: str) -> Reply | None:
    """What is said to the asker. Raises `GpubotError`s for the funnel to explain."""
    if (denial := denied(desk.policy, asked.actor, Action.LOOK)) is not None:
        raise Refused(denial)
    parsed = c.parse(text, c.ParseContext(asked.now, asked.zone))
    if isinstance(parsed, c.Refusal):
        if parsed.code is c.RefusalCode.BAD_KEY_CHOICE:
            return keys.no_choice(desk, asked, parsed)
        return sentence(parsed)
    try:
        return FEATURES[type(parsed)](desk, asked, parsed)
    except Refused as refused:
        if refused.reason != "which-lease":
            raise
        verb = type(parsed).__name__.lower()
        typed, _, rest = text.strip().partition(" ")
        is_plain = typed.lower() == verb
        raise Refused(refused.reason, **refused.facts, verb=verb, rest=rest.strip() if is_plain else "") from None
