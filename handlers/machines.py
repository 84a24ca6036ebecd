"""`check`, `keep` and `cost`: how machines are, and what they cost."""

from datetime import timedelta
from typing import Final

from bot.domain.commands import All, Check, Cost, Keep, Period, Person
from handlers.desk import Asked, Desk
from handlers.words import money, replies

KEEP_QUIET_FOR_S: Final = 3600
_PERIODS: Final = {Period.DAY: timedelta(days=1), Period.WEEK: timedelta(days=7), Period.MONTH: timedelta(days=30)}


def check(desk: Desk, asked: Asked, command: Check) -> str:
    """Have a machine looked at; its thread tells."""
    lease = desk.find(asked.actor, command.name, asked.place)
    return replies.looking(desk.check.ask(asked.actor, lease.id, asked.delivery))


def keep(desk: Desk, asked: Asked, command: Keep) -> str:
    """No idle reminders for a while."""
    lease = desk.find(asked.actor, command.name, asked.place)
    length = command.duration
    return replies.kept_quiet(desk.keep_quiet(asked.actor, lease.id, length.duration_s, asked.delivery, length.until))


def press_keep_quiet(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Keep 1 h* on a reminder."""
    return replies.kept_quiet(desk.keep_quiet(asked.actor, lease_id, KEEP_QUIET_FOR_S, asked.delivery))


def cost(desk: Desk, asked: Asked, command: Cost) -> str:
    """What was spent: one's own, somebody's, everybody's, one machine's; ever, or in the time until now."""
    within = None if command.period is None else _PERIODS[command.period]
    match command.target:
        case str() as name:
            lease = desk.find(asked.actor, name, asked.place)
            return money.spent(desk.cost.of_lease(lease.id, within), f"*{lease.name}*")
        case Person(user):
            return money.spent(desk.cost.of(user, within), f"<@{user}>")
        case All():
            return money.spent(desk.cost.of(None, within), "The team")
        case None:
            return money.spent(desk.cost.of(asked.actor.user, within), "You")
