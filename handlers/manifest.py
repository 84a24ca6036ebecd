"""The Slack app's manifest: what `manifest.json` holds and `python -m bot manifest` prints."""

from collections.abc import Mapping
from typing import Any, Final

SCOPES: Final[Mapping[str, str]] = {
    "app_mentions:read": "take commands from mentions, also in a lease's thread",
    "channels:history": "after a crash, find the card just posted in a public channel instead of posting a second one; "
    "no message events are subscribed",
    "channels:read": "hear that the bot was brought into a public channel, to greet it once with three examples",
    "chat:write": "post cards, questions and answers",
    "commands": "take `/gpu`",
    "files:write": "upload the loss curves that jobs' messages show, and send a small file from the archive to whoever "
    "asked for it",
    "groups:history": "the same in private channels that the bot was invited to",
    "groups:read": "the same for private channels",
    "im:history": "take commands from direct messages",
    "reactions:read": "take ✅, 💾 and ❌ under a question as answers",
    "reactions:write": "put the signs that can answer a question under it, so that an answer is one tap",
    "users:read": "refuse guests and deactivated people, and understand `until 18:00` in the asker's time zone",
}
"""Every scope with the reason for it; none without one."""

EVENTS: Final = (
    "app_home_opened",
    "app_mention",
    "member_joined_channel",
    "message.im",
    "reaction_added",
    "reaction_removed",
)

THREAD_FILES_SCOPES: Final[Mapping[str, str]] = {
    "files:read": "with `THREAD_FILES_MIB` alone: get the files that people drop in machines' threads",
}
"""What is asked for besides, each with its reason, where files dropped in threads are taken."""
THREAD_FILES_EVENTS: Final[Mapping[str, str]] = {
    "message.channels": "hear of files in machines' threads; Slack then sends every message of public channels that "
    "the bot is in, and those without a file in a machine's thread are dropped unread",
    "message.groups": "the same in private channels that the bot was invited to",
}


def scopes(*, thread_files: bool = False) -> Mapping[str, str]:
    """Every scope that is needed."""
    return {**SCOPES, **(THREAD_FILES_SCOPES if thread_files else {})}


def manifest(*, thread_files: bool = False) -> dict[str, Any]:
    """The manifest, as Slack's *create app from manifest* takes it: the least that does."""
    return {
        "display_information": {
            "name": "gpubot",
            "description": "Rent, watch and release cloud GPUs without losing data",
            "background_color": "#1d2b36",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "gpubot", "always_online": True},
            "slash_commands": [
                {
                    "command": "/gpu",
                    "description": "Rent, watch and release GPUs",
                    "usage_hint": "rent a100 4h | status | help",
                    "should_escape": True,
                }
            ],
        },
        "oauth_config": {"scopes": {"bot": sorted(scopes(thread_files=thread_files))}},
        "settings": {
            "event_subscriptions": {"bot_events": sorted((*EVENTS, *(THREAD_FILES_EVENTS if thread_files else ())))},
            "interactivity": {"is_enabled": True},
            "org_deploy_enabled": False,
            "socket_mode_enabled": True,
            "token_rotation_enabled": False,
        },
    }
