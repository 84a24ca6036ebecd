"""The peer: the smallest Bolt bot that answers /gpu, connected as ours is (both kinds of sockets, 64 listeners)."""

import logging
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

from slack_bolt import Ack, App
from slack_bolt.adapter.socket_mode.builtin import SocketModeHandler as BuiltinHandler
from slack_bolt.adapter.socket_mode.websocket_client import SocketModeHandler as WebsocketHandler
from slack_sdk import WebClient


def main() -> None:
    """Answer until ended."""
    url, app_token = os.environ["SLACK_API_URL"], os.environ["SLACK_APP_TOKEN"]
    client = WebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=url)
    app = App(client=client, listener_executor=ThreadPoolExecutor(64), logger=logging.getLogger("slack_bolt"))

    def answer(ack: Ack) -> None:
        ack(text="echo", response_type="ephemeral")

    app.command("/gpu")(answer)
    opener = WebClient(token=app_token, base_url=url)
    for kind in (BuiltinHandler, WebsocketHandler):
        kind(app, app_token, web_client=opener, ping_interval=5, concurrency=64).connect()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    ended.wait()
    os._exit(0)


if __name__ == "__main__":
    main()
