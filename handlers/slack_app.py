"""The connection to Slack: the Bolt app, and Socket Mode over two connections of different kinds."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import structlog
from slack_bolt import App
from slack_bolt.adapter.socket_mode.builtin import SocketModeHandler as BuiltinHandler
from slack_bolt.adapter.socket_mode.websocket_client import SocketModeHandler as WebsocketHandler
from slack_bolt.error import BoltError
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.socket_mode.websocket_client import SocketModeClient as WebsocketClient

from handlers.desk import Desk
from handlers.funnel import Funnel
from handlers.listeners import Listeners
from handlers.slack_errors import reason_of

log = structlog.get_logger()
LISTENERS_AT_ONCE: Final = 64
CLOSES_WITHIN_S: Final = 1.0
PING_S: Final = 5
LISTENER_TIMEOUT_S: Final = 2
HANDSHAKE_S: Final = 5.0
MUTE_AFTER_S: Final = 1.5 * PING_S
_HOPELESS: Final = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type"}
)


class SlackAway(Exception):
    """Slack did not answer: waiting helps."""


class TokensRefused(Exception):
    """Slack does not accept a token: waiting does not help."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is, and where."""

    team_id: str
    bot_user: str


def who_am_i(client: WebClient) -> Identity:
    """The bot's identity.

    Raises:
        SlackAway: Slack cannot be reached.
        TokensRefused: Slack does not accept the bot token.
    """
    try:
        answer = client.auth_test()
    except SlackApiError as error:
        if reason_of(error) in _HOPELESS:
            raise TokensRefused(f"SLACK_BOT_TOKEN: {reason_of(error)}") from error
        raise SlackAway from error
    except (SlackClientError, OSError) as error:
        raise SlackAway from error
    return Identity(str(answer["team_id"]), str(answer["user_id"]))


class SlackConnection:
    """The app and its two sockets.

    No Socket Mode client is good at everything: the built-in one comes back at once after Slack's regular
    *disconnect*, the websocket-client one after a silent drop. Slack gives each payload to one connection.
    """

    def __init__(self, desk: Desk, funnel: Funnel, client: WebClient, app_token: str) -> None:
        """Nothing is connected yet.

        Raises:
            SlackAway: Bolt asks once more who it is, and got no answer.
        """
        try:
            self._app = App(
                client=client,
                listener_executor=ThreadPoolExecutor(LISTENERS_AT_ONCE, thread_name_prefix="listener"),
                logger=logging.getLogger("slack_bolt"),
            )
        except (BoltError, SlackClientError, OSError) as error:
            raise SlackAway from error
        Listeners(desk, funnel, client).register(self._app)
        opener = WebClient(token=app_token, base_url=client.base_url, timeout=10)
        self._sockets: tuple[BuiltinHandler | WebsocketHandler, ...] = (
            BuiltinHandler(
                self._app, app_token, web_client=opener, ping_interval=PING_S, concurrency=LISTENERS_AT_ONCE
            ),
            WebsocketHandler(
                self._app, app_token, web_client=opener, ping_interval=PING_S, concurrency=LISTENERS_AT_ONCE
            ),
        )

        self._sessions: list[object] = [None] * len(self._sockets)

    def connect(self) -> bool:
        """Open what is not open yet; True when at least one connection stands.

        Raises:
            TokensRefused: Slack does not accept the app-level token.
        """
        standing = 0
        for socket in self._sockets:
            if socket.client.is_connected() and not _is_mute(socket):
                standing += 1
                continue
            try:
                standing += _opened(socket)
            except SlackApiError as error:
                if reason_of(error) in _HOPELESS:
                    raise TokensRefused(f"SLACK_APP_TOKEN: {reason_of(error)}") from error
                log.warning("slack.away", reason=reason_of(error))
            except (SlackClientError, OSError) as error:
                log.warning("slack.away", reason=type(error).__name__)
        return standing > 0

    def is_renewed(self) -> bool:
        """Whether a connection was made since this was last asked: what came in between may be lost."""
        sessions: list[object] = [socket.client.current_session for socket in self._sockets]
        is_renewed = any(now is not before for now, before in zip(sessions, self._sessions, strict=True))
        self._sessions = sessions
        return is_renewed

    def close(self) -> None:
        """Close both connections; commands under way are answered if they can be."""
        closing = [threading.Thread(target=socket.close, daemon=True) for socket in self._sockets]
        for thread in closing:
            thread.start()
        for thread in closing:
            # The websocket-client one would wait until its next ping is due, ten seconds at worst.
            thread.join(CLOSES_WITHIN_S)
        self._app.listener_runner.listener_executor.shutdown(wait=True, cancel_futures=True)


def _is_mute(socket: BuiltinHandler | WebsocketHandler) -> bool:
    """Whether two pings in a row had no answer. The built-in client looks for that itself, this one never does; it is
    told to close, and what watches it opens another connection."""
    client = socket.client
    if not isinstance(client, WebsocketClient) or client.current_session is None:
        return False
    session = client.current_session
    if not session.last_pong_tm or session.last_ping_tm - session.last_pong_tm < MUTE_AFTER_S:
        return False
    log.warning("slack.mute")
    client.disconnect()
    return True


def _opened(socket: BuiltinHandler | WebsocketHandler) -> bool:
    """Open one connection and wait until it stands.

    The websocket-client one watches itself from its first moment on, takes its own handshake for a loss and opens
    a second connection over the first, which loses what was sent to it: so its watch begins when it stands.
    """
    client = socket.client
    unwatched = isinstance(client, WebsocketClient) and not client.current_app_monitor.is_alive()
    if unwatched:
        client.current_app_monitor_started = True
    socket.connect()  # type: ignore[no-untyped-call]
    deadline_s = time.monotonic() + HANDSHAKE_S
    while not client.is_connected() and time.monotonic() < deadline_s:
        threading.Event().wait(0.02)
    if unwatched:
        client.current_app_monitor.start()
    return client.is_connected()


def clients(bot_token: str, base_url: str) -> tuple[WebClient, WebClient]:
    """(for listeners: short patience; for deliveries: longer). Neither repeats a call whose connection broke, as
    the SDK does by default: a post may have been made all the same, and whoever repeats it looks for it first."""
    url = base_url if base_url.endswith("/") else f"{base_url}/"
    return (
        WebClient(token=bot_token, base_url=url, timeout=LISTENER_TIMEOUT_S, retry_handlers=[]),
        WebClient(token=bot_token, base_url=url, timeout=10, retry_handlers=[]),
    )
