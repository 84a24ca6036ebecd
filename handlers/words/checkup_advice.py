"""What helps against Slack's, the archive's and the providers' refusals, and what breaks without a scope."""

from collections.abc import Mapping
from typing import Final

WITHOUT: Final[Mapping[str, str]] = {
    "app_mentions:read": "`@gpubot …` in a channel is not heard",
    "channels:history": "after a crash a card in a public channel may be posted twice",
    "channels:read": "a public channel that the bot is invited to is not greeted",
    "chat:write": "no card, question or answer can be posted",
    "commands": "`/gpu` does not exist",
    "files:read": "files that people drop in machines' threads cannot be had, and THREAD_FILES_MIB is set",
    "files:write": "loss curves cannot be shown, only their numbers",
    "groups:history": "after a crash a card in a private channel may be posted twice",
    "groups:read": "a private channel that the bot is invited to is not greeted",
    "im:history": "direct messages to the bot are not heard",
    "reactions:read": "✅, 💾 and ❌ under a question do not count; its buttons do",
    "reactions:write": "questions come without the three signs to tap; their buttons work",
    "users:read": "nobody can be told from a guest, so every command is refused",
}
"""A scope that is not here is explained by its reason in the manifest."""

_INVITE: Final = "invite the bot there: /invite @gpubot"
_NEW_TOKEN: Final = "copy the token again from the app's page at api.slack.com/apps, and install the app if it is not"  # noqa: S105 - advice
_SCOPE: Final = "the token lacks a scope; the lines about scopes say which. An app token needs connections:write"
_SLACK: Final[Mapping[str, str]] = {
    "invalid_auth": _NEW_TOKEN,
    "not_authed": _NEW_TOKEN,
    "token_revoked": _NEW_TOKEN,
    "token_expired": _NEW_TOKEN,
    "account_inactive": "the app was taken out of the workspace, or the workspace is gone; install it again",
    "not_allowed_token_type": "it is a token of another kind: bot tokens start with xoxb-, app tokens with xapp-",
    "missing_scope": _SCOPE,
    "no_permission": _SCOPE,
    "not_in_channel": _INVITE,
    "channel_not_found": f"is the id right (C…, in the channel's details)? If the channel is private, {_INVITE}",
    "is_archived": "the channel is archived; take another",
    "is_inactive": "the channel is archived; take another",
    "restricted_action": "an admin restricted who may post there; take another channel, or have the bot allowed",
    "edit_window_closed": "an admin limited how long messages can be edited; have the limit lifted, or cards are posted anew",
    "cant_update_message": "the message is not the bot's own to edit; did another app take it over?",
    "message_not_found": "the message was gone; does another app, or a retention rule, delete messages there?",
    "user_not_in_channel": "the person of --user is not in that channel; ephemeral messages reach members alone",
    "user_not_found": "is the id of --user right (U…: profile, then the menu, then Copy member ID)?",
    "invalid_blocks": "Slack did not take the message's layout; please report it with this line",
    "ratelimited": "Slack asks for fewer calls; wait a minute and check again",
    "not_allowed": "an admin restricted this for apps; ask them",
    "storage_limit_reached": "the workspace's room for files is used up",
    "no-answer": "the connection broke or Slack failed; check again, and look whether something was left in the channel",
}

ARCHIVE_ADVICE: Final[Mapping[str, str]] = {
    "no-archive": "ARCHIVE names a remote that rclone does not know: rclone config, as the user that runs gpubot",
    "destination-refused": "do the credentials allow it, and does the path exist as a folder that can be written to?",
    "destination-full": "make room there",
    "destination-away": "can this machine reach it? Look at its address, the network and the proxy",
    "connection-cut": "can this machine reach it, and log in? Look at its address and credentials",
    "failed": "try the same by hand with rclone, as the user that runs gpubot",
}

PROVIDER_ADVICE: Final[Mapping[str, str]] = {
    "settings": "mend the setting",
    "credentials": "set the provider's key anew",
    "not-allowed": "give the provider's key the right to list and launch machines",
    "rate-limited": "wait a minute and check again",
    "vendor-trouble": "the provider fails or cannot be reached; check again later",
    "quota": "raise the account's limit at the provider",
    "bad-request": "please report it with this line",
}

LIVE_STEPS: Final[Mapping[str, tuple[str, str]]] = {
    "post": ("a message was posted", "posting a message"),
    "find": ("it was found again by its metadata", "finding the message again"),
    "edit": ("it was edited", "editing it"),
    "react": ("a reaction was added", "adding a reaction"),
    "unreact": ("the reaction was taken back", "taking the reaction back"),
    "upload": ("a picture was uploaded", "uploading a picture"),
    "show": ("the message showed the picture", "showing the picture in the message"),
    "ephemeral": (
        "an ephemeral message was accepted (Slack does not say whether it was shown; it goes with a reload)",
        "an ephemeral message",
    ),
    "look-up": ("a person was looked up", "looking a person up"),
    "socket": ("a Socket Mode connection was opened", "opening a Socket Mode connection"),
    "delete-message": ("the message was deleted", "deleting the message"),
    "delete-picture": ("the picture was deleted", "deleting the picture"),
    "list": ("listed", "listing"),
    "write": ("written to", "writing"),
    "read back": ("read back", "reading back"),
    "delete": ("deleted from", "deleting"),
}
"""(what was done, doing it)."""


def slack_advice(reason: str, method: str = "") -> str:
    """What helps against one of Slack's reasons."""
    where = f" of {method}" if method else ""
    return _SLACK.get(reason, f"look the word up among the errors{where} at docs.slack.dev") if reason else ""
