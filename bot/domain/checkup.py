"""A checkup of a deployment: what was looked at before the bot is let into a workspace, and what that says."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.domain.checklist import Verdict
from bot.domain.people import Actor
from bot.domain.problem import Facts

CLOCK_OFF_S: Final = 60.0
"""From here on a clock that is off is told: leases end, and people read times, by it."""
ARCHIVE_LOW_BYTES: Final = 10 * 1024**3
LOCAL_DISK_LOW_BYTES: Final = 5 * 1024**3


class Group(StrEnum):
    """What belongs together, in an order that shows causes before what follows from them."""

    SETTINGS = "settings"
    KEY = "key"
    DATABASE = "database"
    SLACK = "slack"
    SCOPES = "scopes"
    PEOPLE = "people"
    ARCHIVE = "archive"
    PROVIDERS = "providers"
    LIVE = "live"


class Kind(StrEnum):
    """What was found; the sentences for each are in `handlers.words.checkup`."""

    BROKE = "broke"
    """The look itself failed, for a reason that nobody foresaw."""
    SETTINGS_READ = "settings-read"
    SETTING_WRONG = "setting-wrong"
    POLICY_READ = "policy-read"
    POLICY_DEFAULT = "policy-default"
    POLICY_WRONG = "policy-wrong"
    KEY_GIVEN = "key-given"
    KEY_FILE = "key-file"
    KEY_NEW = "key-new"
    KEY_WRONG = "key-wrong"
    DATABASE_READY = "database-ready"
    DATABASE_NEW = "database-new"
    DATABASE_BEHIND = "database-behind"
    DATABASE_WRONG = "database-wrong"
    DATABASE_AWAY = "database-away"
    DATABASE_WRITES = "database-writes"
    DATABASE_READ_ONLY = "database-read-only"
    BOT_TOKEN = "bot-token"  # noqa: S105 - a name
    APP_TOKEN = "app-token"  # noqa: S105 - a name
    TOKEN_NOT_TRIED = "token-not-tried"  # noqa: S105 - a name
    TOKEN_REFUSED = "token-refused"  # noqa: S105 - a name
    SLACK_AWAY = "slack-away"
    ONE_APP = "one-app"
    TWO_APPS = "two-apps"
    APP_UNKNOWN = "app-unknown"
    CLOCK = "clock"
    CLOCK_OFF = "clock-off"
    CLOCK_UNKNOWN = "clock-unknown"
    SCOPES_GRANTED = "scopes-granted"
    SCOPES_UNKNOWN = "scopes-unknown"
    SCOPE_MISSING = "scope-missing"
    SCOPE_UNUSED = "scope-unused"
    THREAD_FILES = "thread-files"
    PEOPLE_KNOWN = "people-known"
    PERSON_UNKNOWN = "person-unknown"
    PERSON_NOT_ALLOWED = "person-not-allowed"
    NO_APPROVERS = "no-approvers"
    HOME_CHANNEL = "home-channel"
    NO_HOME_CHANNEL = "no-home-channel"
    HOME_CHANNEL_CLOSED = "home-channel-closed"
    NOT_LOOKED_AT = "not-looked-at"
    RCLONE = "rclone"
    NO_RCLONE = "no-rclone"
    NO_ARCHIVE = "no-archive"
    ARCHIVE_STEP = "archive-step"
    ARCHIVE_REFUSED = "archive-refused"
    ARCHIVE_CHANGED = "archive-changed"
    """What was read back is not what was written."""
    ARCHIVE_ROOM = "archive-room"
    ARCHIVE_ROOM_UNKNOWN = "archive-room-unknown"
    ARCHIVE_FULL = "archive-full"
    OFFERS = "offers"
    SIMULATED_OFFERS = "simulated-offers"
    NO_OFFERS = "no-offers"
    PROVIDER_FAILED = "provider-failed"
    LOCAL_PYTHON = "local-python"
    LOCAL_NO_PYTHON = "local-no-python"
    LOCAL_SERVER = "local-server"
    LOCAL_NO_SERVER = "local-no-server"
    LOCAL_DISK = "local-disk"
    LOCAL_DISK_LOW = "local-disk-low"
    LIVE_STEP = "live-step"
    LIVE_REFUSED = "live-refused"
    LIVE_TEXT_CHANGED = "live-text-changed"
    LIVE_NOT_FOUND = "live-not-found"
    LIVE_PICTURE = "live-picture"
    LIVE_PICTURE_LATE = "live-picture-late"
    LIVE_SOCKET = "live-socket"
    LIVE_NO_HELLO = "live-no-hello"
    LIVE_LEFT_BEHIND = "live-left-behind"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a checkup. ``facts`` fill its sentence; no secret is among them."""

    group: Group
    kind: Kind
    verdict: Verdict = Verdict.OK
    facts: Facts = field(default_factory=dict)


def failed(findings: Iterable[Finding]) -> bool:
    """Whether something has to be mended; what could not be looked at follows from another line that failed."""
    return any(finding.verdict is Verdict.FAIL for finding in findings)


def about_scopes(granted: Collection[str] | None, wanted: Collection[str]) -> Iterator[Finding]:
    """What the token may do against what gpubot needs; None: Slack did not tell."""
    if granted is None:
        yield Finding(Group.SCOPES, Kind.SCOPES_UNKNOWN, Verdict.UNKNOWN)
        return
    missing = [scope for scope in sorted(wanted) if scope not in granted]
    for scope in missing:
        yield Finding(Group.SCOPES, Kind.SCOPE_MISSING, Verdict.FAIL, {"scope": scope})
    if not missing:
        yield Finding(Group.SCOPES, Kind.SCOPES_GRANTED, facts={"count": len(wanted)})
    for scope in sorted(set(granted) - set(wanted)):
        yield Finding(Group.SCOPES, Kind.SCOPE_UNUSED, Verdict.WARN, {"scope": scope})


def about_clock(ours: datetime, slacks: datetime | None) -> Finding:
    """Our clock against Slack's."""
    if slacks is None:
        return Finding(Group.SLACK, Kind.CLOCK_UNKNOWN, Verdict.UNKNOWN)
    ahead_s = (ours - slacks).total_seconds()
    facts: Facts = {"off_s": abs(ahead_s), "way": "ahead of" if ahead_s > 0 else "behind"}
    if abs(ahead_s) > CLOCK_OFF_S:
        return Finding(Group.SLACK, Kind.CLOCK_OFF, Verdict.WARN, facts)
    return Finding(Group.SLACK, Kind.CLOCK, facts=facts)


def about_apps(of_bot_token: str | None, of_app_token: str | None) -> Finding:
    """Whether both tokens are of one app: with those of two, nothing that people type would arrive."""
    facts: Facts = {"bot_app": of_bot_token, "app_app": of_app_token}
    if not of_bot_token or not of_app_token:
        return Finding(Group.SLACK, Kind.APP_UNKNOWN, Verdict.UNKNOWN, facts)
    if of_bot_token != of_app_token:
        return Finding(Group.SLACK, Kind.TWO_APPS, Verdict.FAIL, facts)
    return Finding(Group.SLACK, Kind.ONE_APP, facts=facts)


def about_person(role: str, user: str, actor: Actor | None) -> Finding | None:
    """Somebody whom the policy names; None: nothing is wrong with them. ``actor`` None: Slack knows nobody."""
    facts: dict[str, str] = {"role": role, "user": user}
    if actor is None:
        return Finding(Group.PEOPLE, Kind.PERSON_UNKNOWN, Verdict.FAIL, facts)
    if actor.is_deactivated or actor.is_bot or actor.is_guest:
        what = "deactivated" if actor.is_deactivated else "a bot" if actor.is_bot else "a guest"
        return Finding(Group.PEOPLE, Kind.PERSON_NOT_ALLOWED, Verdict.WARN, facts | {"what": what})
    return None


def about_room(group: Group, kinds: tuple[Kind, Kind], free_bytes: int, low_bytes: int) -> Finding:
    """Free space; ``kinds``: (enough, little)."""
    is_low = free_bytes < low_bytes
    verdict = Verdict.WARN if is_low else Verdict.OK
    return Finding(group, kinds[is_low], verdict, {"free_bytes": free_bytes, "low_bytes": low_bytes})
