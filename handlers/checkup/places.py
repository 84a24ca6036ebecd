"""Those whom settings and policy name: are they there, and may the bot be where it has to be."""

from collections.abc import Iterable, Iterator
from typing import Final

from slack_sdk import WebClient

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind, about_person
from bot.domain.people import Actor
from bot.domain.policy import EVERYBODY, Policy
from handlers.checkup.asking import Answer, ask

_PEOPLE: Final = Group.PEOPLE
_CLOSED: Final = frozenset({"channel_not_found", "not_in_channel", "is_archived"})
MOST_PEOPLE: Final = 60
"""Looked up one by one, within a minute's allowance at Slack."""


def look_at_people(client: WebClient, policy: Policy) -> Iterator[Finding]:
    """Approvers, admins and members that the policy names."""
    if not policy.approvers:
        yield Finding(_PEOPLE, Kind.NO_APPROVERS, Verdict.WARN)
    named = list(_named(policy))
    fine = 0
    for role, user in named[:MOST_PEOPLE]:
        answer = ask(client.users_info, user=user)
        if not answer.ok and answer.reason not in ("user_not_found", "user_not_visible"):
            facts = {"what": "the people that the policy names", "reason": answer.reason}
            yield Finding(_PEOPLE, Kind.NOT_LOOKED_AT, Verdict.UNKNOWN, facts)
            return
        finding = about_person(role, user, _actor(user, answer) if answer.ok else None)
        if finding is None:
            fine += 1
        else:
            yield finding
    if fine:
        yield Finding(_PEOPLE, Kind.PEOPLE_KNOWN, facts={"count": fine, "not_looked_at": len(named[MOST_PEOPLE:])})


def look_at_home(client: WebClient, channel: str) -> Finding:
    """Whether the bot may post in the home channel, as far as can be seen without posting."""
    if not channel:
        return Finding(_PEOPLE, Kind.NO_HOME_CHANNEL, Verdict.WARN)
    answer = ask(client.conversations_info, channel=channel)
    reason = answer.reason or _why_closed(answer)
    if answer.reason == "missing_scope":
        # Reading its newest message takes the membership that posting takes.
        reason = ask(client.conversations_history, channel=channel, limit=1).reason
    if not reason:
        return Finding(_PEOPLE, Kind.HOME_CHANNEL, facts={"channel": channel})
    if reason in _CLOSED:
        return Finding(_PEOPLE, Kind.HOME_CHANNEL_CLOSED, Verdict.FAIL, {"channel": channel, "reason": reason})
    facts = {"what": f"the home channel {channel}", "reason": reason}
    return Finding(_PEOPLE, Kind.NOT_LOOKED_AT, Verdict.UNKNOWN, facts)


def _why_closed(answer: Answer) -> str:
    if answer.get("channel", "is_archived"):
        return "is_archived"
    return "" if answer.get("channel", "is_member") else "not_in_channel"


def _named(policy: Policy) -> Iterable[tuple[str, str]]:
    """(role, id), each person once."""
    seen: set[str] = set()
    for role, users in (("approvers", policy.approvers), ("admins", policy.admins), ("members", policy.members)):
        for user in sorted(users - seen - {EVERYBODY}):
            seen.add(user)
            yield role, user


def _actor(user: str, answer: Answer) -> Actor:
    told = answer.get("user") or {}
    return Actor(
        user=user,
        team_id=str(told.get("team_id") or ""),
        is_guest=bool(told.get("is_restricted") or told.get("is_ultra_restricted")),
        is_deactivated=bool(told.get("deleted")),
        is_bot=bool(told.get("is_bot")),
    )
