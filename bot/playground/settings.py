"""What the app was granted, and the rules and deadlines of this workspace."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from bot.playground.model import Json

# They open nothing but this workspace.
BOT_TOKEN = "xoxb-playground"  # noqa: S105
APP_TOKEN = "xapp-playground"  # noqa: S105

DEFAULT_SCOPES = (
    "app_mentions:read",
    "channels:read",
    "chat:write",
    "commands",
    "files:write",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "reactions:read",
    "reactions:write",
    "users:read",
)

DEFAULT_SUBSCRIPTIONS = (
    "app_mention",
    "message.im",
    "reaction_added",
    "reaction_removed",
    "member_joined_channel",
    "app_home_opened",
)


@dataclass
class Settings:
    """Every knob of the workspace; all can be changed while it runs."""

    scopes: list[str] = field(default_factory=lambda: list(DEFAULT_SCOPES))
    app_scopes: list[str] = field(default_factory=lambda: ["connections:write"])
    subscriptions: list[str] = field(default_factory=lambda: list(DEFAULT_SUBSCRIPTIONS))
    # Slash command -> whether Slack escapes people, channels and links in its text.
    commands: dict[str, bool] = field(default_factory=lambda: {"/gpu": True})
    # Slash command -> its description and usage hint, which clients show while it is typed.
    command_hints: dict[str, Json] = field(default_factory=dict)
    home_tab: bool = True
    messages_tab: bool = True

    # docs: apis/events-api#responding, interactivity/handling-user-interaction (3 s to acknowledge).
    ack_deadline_s: float = 3.0
    # docs: apis/events-api#retries: nearly at once, after 1 minute, after 5 minutes.
    redelivery_delays_s: list[float] = field(default_factory=lambda: [0.0, 60.0, 300.0])
    # docs: interactivity#trigger_ids expire in 3 seconds. facts: A modal needs a younger one.
    trigger_lifetime_s: float = 3.0
    # docs: interactivity/handling-user-interaction#message_responses: 5 times within 30 minutes.
    response_url_uses: int = 5
    response_url_lifetime_s: float = 1800.0

    limits_on: bool = True
    # docs: apis/web-api/rate-limits: about one message a second and channel, short bursts allowed.
    posts_per_second: float = 1.0
    post_burst: int = 5
    # docs: apis/web-api/rate-limits#tiers: tier 3 is 50 and more a minute, for the whole workspace.
    calls_per_minute: dict[str, int] = field(default_factory=lambda: {"chat.update": 50})

    # None leaves edits open for ever; a number closes them that many seconds after the post.
    edit_window_s: float | None = None
    file_processing_s: float = 0.0
    # facts: ephemerals are not guaranteed. True loses every one of them, with an `ok` answer.
    ephemerals_lost: bool = False

    # docs: reference/methods/chat.postMessage#truncating: cut at 40,000 characters.
    post_text_limit: int = 40_000
    # Reported for edits, which refuse (msg_too_long) where posts cut: seratch/ChatGPT-in-Slack#102.
    update_text_limit: int = 4_000
    # Reported for messages whose blocks pass about 13,200 characters: slackapi/bolt-js#2509.
    blocks_size_limit: int = 13_200

    def change(self, wanted: Json) -> None:
        """Set the named fields.

        Raises:
            KeyError: there is no such setting.
        """
        known = {f.name for f in fields(self)}
        for name in wanted:
            if name not in known:
                raise KeyError(name)
        for name, value in wanted.items():
            setattr(self, name, value)

    def read_manifest(self, manifest: Json) -> None:
        """Take scopes, subscriptions, commands and the app's tabs from an app manifest."""
        scopes = manifest.get("oauth_config", {}).get("scopes", {}).get("bot")
        if scopes is not None:
            self.scopes = list(scopes)
        events = manifest.get("settings", {}).get("event_subscriptions", {}).get("bot_events")
        if events is not None:
            self.subscriptions = list(events)
        features = manifest.get("features", {})
        if "slash_commands" in features:
            self.commands = {c["command"]: bool(c.get("should_escape")) for c in features["slash_commands"]}
            told = ("description", "usage_hint")
            self.command_hints = {c["command"]: {t: c.get(t, "") for t in told} for c in features["slash_commands"]}
        home = features.get("app_home", {})
        # A tab that the manifest does not switch on is off. facts: direct messages need it on.
        self.home_tab = bool(home.get("home_tab_enabled"))
        self.messages_tab = bool(home.get("messages_tab_enabled")) and not home.get("messages_tab_read_only_enabled")
