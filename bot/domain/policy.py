"""The team's policy: who may do what, and from which sum on a rent needs a button. Destroying is denied by default."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.domain.people import Actor

EVERYBODY: Final = "*"


class Action(StrEnum):
    """What people do to machines."""

    LOOK = "look"
    RENT = "rent"
    APPROVE_RENT = "approve-rent"
    OPERATE = "operate"
    """Stop, start, extend: nothing is lost, but money or somebody's work is concerned."""
    LOG_IN = "log-in"
    ASK_RELEASE = "ask-release"
    """Have the release of a machine asked for; somebody else has to say yes."""
    FETCH = "fetch"
    """Get what the archive holds of a machine, or leave something of it out of what is asked about."""
    DESTROY = "destroy"
    """Answer the question before a release, or cancel what was never handed over."""


class Denial(StrEnum):
    """Why somebody may not."""

    OTHER_WORKSPACE = "other-workspace"
    GUEST = "guest"
    DEACTIVATED = "deactivated"
    BOT = "bot"
    CHANNEL = "channel"
    NOT_MEMBER = "not-member"
    NOT_OWNER = "not-owner"
    NOT_APPROVER = "not-approver"


@dataclass(frozen=True, slots=True)
class Policy:
    """One team's rules; people and channels are Slack ids, ``*`` stands for all."""

    members: frozenset[str] = frozenset({EVERYBODY})
    approvers: frozenset[str] = frozenset()
    admins: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset({EVERYBODY})
    rent_limit_microusd: int = 25_000_000
    """A rent up to this whole cost needs no button."""
    approval_limit_microusd: int = 500_000_000
    """Above this whole cost only an approver's button counts."""
    longest_lease_s: int = 14 * 86_400
    release_approver_above_bytes: int | None = None
    """A yes to losing more than this needs an approver who did not ask; None: no such rule."""
    idle_asks_after_s: float | None = None
    """A machine unused for so long, whose reminders were not answered, is asked about; None: never."""
    stops_unused: bool = True
    """An unused machine past its lease's end, whose question waits, is stopped where that keeps its disks."""
    owner_first_s: float = 1800.0
    """Where somebody else's machine is asked for, its owner has so long before an approver's yes counts."""

    def allows_channel(self, channel: str) -> bool:
        """Whether anything may be done from that channel."""
        return _in(channel, self.channels)


def refused_at_the_door(policy: Policy, actor: Actor, team_id: str, channel: str | None) -> Denial | None:
    """Why nothing at all is done for ``actor``; None lets them in. ``channel`` is None in direct messages."""
    if actor.team_id != team_id:
        return Denial.OTHER_WORKSPACE
    if actor.is_bot:
        return Denial.BOT
    if actor.is_deactivated:
        return Denial.DEACTIVATED
    if actor.is_guest:
        return Denial.GUEST
    if channel is not None and not policy.allows_channel(channel):
        return Denial.CHANNEL
    return None


def denied(policy: Policy, actor: Actor, action: Action, owner: str | None = None) -> Denial | None:
    """Why ``actor`` may not do ``action`` to a machine of ``owner``; None is permission."""
    is_staff = actor.user in policy.approvers or actor.user in policy.admins
    if not (_in(actor.user, policy.members) or is_staff):
        return Denial.NOT_MEMBER
    match action:
        case Action.LOOK | Action.RENT:
            return None
        case Action.OPERATE | Action.ASK_RELEASE:
            return None if actor.user == owner or is_staff else Denial.NOT_OWNER
        case Action.LOG_IN:
            return None if actor.user == owner else Denial.NOT_OWNER
        case Action.DESTROY | Action.FETCH:
            return None if actor.user == owner or actor.user in policy.approvers else Denial.NOT_OWNER
        case Action.APPROVE_RENT:
            return None if actor.user in policy.approvers else Denial.NOT_APPROVER


def _in(name: str, names: frozenset[str]) -> bool:
    return EVERYBODY in names or name in names
