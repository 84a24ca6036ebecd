"""Slack's errors as ours, translated once."""

from dataclasses import dataclass
from typing import Final

from slack_sdk.errors import SlackApiError

from bot.errors import MessageLost, NotifierError, NowhereToPost, SlackBusy

_LOST: Final = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "is_inactive", "is_archived"}
    | {"not_in_channel", "channel_not_found"}
)
_NOWHERE: Final = frozenset(
    {"not_in_channel", "channel_not_found", "is_archived", "restricted_action", "cannot_dm_bot", "user_not_found"}
    | {"restricted_action_read_only_channel", "restricted_action_thread_only_channel", "no_permission", "user_disabled"}
)
DEFAULT_WAIT_S: Final = 5.0


@dataclass(eq=False)
class SlackRefused(NotifierError):
    """Slack did not accept a call for a reason that waiting does not cure."""

    code = "slack-refused"
    reason: str


def from_post(error: SlackApiError) -> NotifierError:
    """Why a post failed."""
    reason = reason_of(error)
    return NowhereToPost(reason) if reason in _NOWHERE else _other(error)


def from_edit(error: SlackApiError) -> NotifierError:
    """Why an edit failed."""
    reason = reason_of(error)
    return MessageLost(reason) if reason in _LOST else _other(error)


def reason_of(error: SlackApiError) -> str:
    """Slack's word for it."""
    return str(error.response.get("error", "")) if error.response is not None else ""


def _other(error: SlackApiError) -> NotifierError:
    if error.response is not None and error.response.status_code == 429:
        return SlackBusy(float(error.response.headers.get("Retry-After", DEFAULT_WAIT_S)))
    if error.response is not None and error.response.status_code >= 500:
        return SlackBusy(DEFAULT_WAIT_S)
    return SlackRefused(reason_of(error))
