"""One Socket Mode connection, opened until Slack says hello, and closed at once."""

import json
from contextlib import closing
from typing import Final

from slack_sdk import WebClient
from websocket import WebSocketException, create_connection

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind
from handlers.checkup.asking import ask

_HELLO_WITHIN_S: Final = 10.0
_FRAMES: Final = 5


def see_hello(app: WebClient, app_id: str) -> Finding:
    """Slack gives each payload to one of an app's connections: what people type in the moment that this one is open
    may come here instead of to a running bot, so it is open no longer than it takes."""
    opened = ask(app.apps_connections_open, app_token=app.token)
    if not opened.ok:
        facts = {"step": "socket", "method": "apps.connections.open", "reason": opened.reason, "detail": opened.detail}
        return Finding(Group.LIVE, Kind.LIVE_REFUSED, Verdict.FAIL, facts)
    try:
        with closing(create_connection(opened.text("url"), timeout=_HELLO_WITHIN_S)) as connection:
            for _ in range(_FRAMES):
                frame = json.loads(connection.recv())
                if frame.get("type") == "hello":
                    return _about(frame, app_id)
        reason = "it said something else"
    except (WebSocketException, OSError) as error:
        # Its text may hold the address, which is a key to the connection.
        reason = type(error).__name__
    except (ValueError, AttributeError):
        reason = "what it said could not be read"
    return Finding(Group.LIVE, Kind.LIVE_NO_HELLO, Verdict.FAIL, {"reason": reason})


def _about(hello: dict[str, object], app_id: str) -> Finding:
    told = hello.get("connection_info")
    its_app = str(told.get("app_id") or "") if isinstance(told, dict) else ""
    count = hello.get("num_connections")
    if app_id and its_app and its_app != app_id:
        return Finding(Group.LIVE, Kind.TWO_APPS, Verdict.FAIL, {"bot_app": app_id, "app_app": its_app})
    return Finding(Group.LIVE, Kind.LIVE_SOCKET, facts={"open": count if isinstance(count, int) else 1})
