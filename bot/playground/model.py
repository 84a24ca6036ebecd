"""The things a workspace is made of, and how Slack spells each of them in JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass
class Person:
    """A member of the workspace, a bot user, or a stranger from another team."""

    id: str
    name: str
    real_name: str
    team_id: str
    tz: str = "Europe/Berlin"
    tz_label: str = "Central European Time"
    tz_offset: int = 3600
    is_owner: bool = False
    is_admin: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    deleted: bool = False
    is_bot: bool = False
    bot_id: str | None = None
    # Of a bot: its app, where that is another one than the workspace's.
    app_id: str | None = None
    is_stranger: bool = False

    def as_slack(self) -> Json:
        """The user object (docs.slack.dev: reference/objects/user-object)."""
        told: Json = {
            "id": self.id,
            "team_id": self.team_id,
            "name": self.name,
            "deleted": self.deleted,
            "real_name": self.real_name,
            "profile": {"real_name": self.real_name, "display_name": self.name, "team": self.team_id},
            "is_bot": self.is_bot,
            "is_app_user": False,
            "updated": 1700000000,
        }
        if self.is_bot:
            told["profile"]["bot_id"] = self.bot_id
        if self.is_stranger:
            told["is_stranger"] = True
        if not self.deleted:
            # Slack leaves time zone and roles out for deactivated people.
            told |= {
                "tz": self.tz,
                "tz_label": self.tz_label,
                "tz_offset": self.tz_offset,
                "is_admin": self.is_admin,
                "is_owner": self.is_owner,
                "is_primary_owner": False,
                "is_restricted": self.is_restricted or self.is_ultra_restricted,
                "is_ultra_restricted": self.is_ultra_restricted,
            }
        return told


@dataclass
class Channel:
    """A conversation: kind is ``channel`` (public), ``group`` (private) or ``im`` (direct message)."""

    id: str
    name: str
    kind: str = "channel"
    members: list[str] = field(default_factory=list)
    archived: bool = False
    created: int = 1700000000

    @property
    def subscription(self) -> str:
        """The event subscription that covers plain messages here."""
        return {"channel": "message.channels", "group": "message.groups", "im": "message.im"}[self.kind]

    @property
    def scope_family(self) -> str:
        """The first half of the scopes that read this conversation."""
        return {"channel": "channels", "group": "groups", "im": "im"}[self.kind]

    @property
    def name_in_payload(self) -> str:
        """What commands and buttons call it: private ones keep their name to themselves."""
        return {"channel": self.name, "group": "privategroup", "im": "directmessage"}[self.kind]

    def as_slack(self, viewer: str) -> Json:
        """The conversation object (docs.slack.dev: reference/objects/conversation-object)."""
        told: Json = {
            "id": self.id,
            "created": self.created,
            "is_im": self.kind == "im",
            "is_archived": self.archived,
            "is_org_shared": False,
        }
        if self.kind == "im":
            return told | {"user": next((m for m in self.members if m != viewer), viewer), "is_open": True}
        return told | {
            "name": self.name,
            "name_normalized": self.name,
            "is_channel": self.kind == "channel",
            "is_group": self.kind == "group",
            "is_mpim": False,
            "is_private": self.kind == "group",
            "is_general": False,
            "is_shared": False,
            "is_ext_shared": False,
            "is_member": viewer in self.members,
            "num_members": len(self.members),
            "topic": {"value": "", "creator": "", "last_set": 0},
            "purpose": {"value": "", "creator": "", "last_set": 0},
        }


@dataclass
class Message:
    """One message. ``only_for`` makes it ephemeral: seen by that person alone."""

    ts: str
    channel: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    only_for: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    team_id: str = ""
    subtype: str | None = None
    metadata: Json | None = None
    edited: Json | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    broadcast: bool = False

    @property
    def is_reply(self) -> bool:
        """Whether it stands in a thread under another message."""
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass
class File:
    """An uploaded file. It can be shown in a block once ``ready_at`` has passed."""

    id: str
    name: str
    title: str
    length: int
    alt_text: str | None
    user: str
    created: int
    upload_key: str
    content: bytes | None = None
    completed: bool = False
    ready_at: float = 0.0
    shares: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class View:
    """A modal, or a person's home tab, as the app last sent it."""

    id: str
    user: str
    body: Json
    root_id: str
    hash: str
    is_open: bool = True
