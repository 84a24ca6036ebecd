"""Files in Slack: what it tells of them, and how its server sends them, well and badly."""

import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest
from slack_sdk import WebClient

from bot.domain.drops.drop import WhyNot
from bot.errors import SharedFileRefused, SlackBusy
from bot.ports.shared_files import SharedFile
from handlers.shared_files import SlackSharedFiles

KIB = 1024
LOGIN_PAGE = b"<!DOCTYPE html><html><head><title>Sign in | Slack</title>"
Answering = Callable[[BaseHTTPRequestHandler], None]


class Slack:
    """A server that answers as it is told to, and remembers who showed it a token."""

    def __init__(self) -> None:
        self.answer: Answering = lambda handler: send(handler, b"")
        self.info: dict[str, Any] = {"ok": False, "error": "file_not_found"}
        self.seen: list[tuple[str, str | None]] = []
        slack = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version: ClassVar[str] = "HTTP/1.1"

            def do_GET(self) -> None:
                slack.seen.append((self.path, self.headers.get("Authorization")))
                slack.answer(self)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                send(self, json.dumps(slack.info).encode(), **{"Content-Type": "application/json"})

            def log_message(self, *args: object) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(10)


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Type": "text/plain", "Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def slack() -> Iterator[Slack]:
    running = Slack()
    yield running
    running.close()


@pytest.fixture
def files(slack: Slack) -> SlackSharedFiles:
    return SlackSharedFiles(WebClient(token="xoxb-secret", base_url=f"{slack.url}/api/"), time.monotonic)


def received(files: SlackSharedFiles, slack: Slack, size: int, mimetype: str = "text/plain", most: int = 9**9) -> bytes:
    with files.content(SharedFile("F1", "x", size, mimetype, f"{slack.url}/f"), most, 5) as pieces:
        return b"".join(pieces)


def test_its_bytes_with_the_token(files: SlackSharedFiles, slack: Slack) -> None:
    whole = bytes(range(256)) * 4 * KIB
    slack.answer = lambda handler: send(handler, whole)
    assert received(files, slack, len(whole)) == whole
    assert slack.seen == [("/f", "Bearer xoxb-secret")]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda h: send(h, LOGIN_PAGE, **{"Content-Type": "text/html; charset=utf-8"}), WhyNot.SCOPE),
        (lambda h: send(h, b"", 302, Location="http://127.0.0.1:9/?redir=f"), WhyNot.SCOPE),
        (lambda h: send(h, b"", 403), WhyNot.SCOPE),
        (lambda h: send(h, b"", 404), WhyNot.GONE),
        (lambda h: send(h, b"x" * 2000), WhyNot.TOO_LARGE),
    ],
)
def test_what_is_no_file_is_never_taken_for_one(
    files: SlackSharedFiles, slack: Slack, answer: Answering, why: WhyNot
) -> None:
    slack.answer = answer
    with pytest.raises(SharedFileRefused) as refused:
        received(files, slack, len(LOGIN_PAGE), most=1999)
    assert refused.value.why is why
    assert len(slack.seen) == 1, "nothing is followed"


def test_a_page_that_somebody_shared_is_a_file(files: SlackSharedFiles, slack: Slack) -> None:
    page = b"<html>report</html>"
    slack.answer = lambda handler: send(handler, page, **{"Content-Type": "text/html"})
    assert received(files, slack, len(page), "text/html") == page
    slack.answer = lambda handler: send(handler, LOGIN_PAGE, **{"Content-Type": "text/html"})
    with pytest.raises(SharedFileRefused):
        received(files, slack, len(page), "text/html")


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Says that it sends little, by pieces, and goes on."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"400\r\n" + b"x" * KIB + b"\r\n")
    except OSError:
        handler.close_connection = True


def test_one_that_is_longer_than_told_is_cut_off(files: SlackSharedFiles, slack: Slack) -> None:
    slack.answer = endless
    with pytest.raises(SharedFileRefused) as refused:
        received(files, slack, 1000, most=KIB**2)
    assert refused.value.why is WhyNot.TOO_LARGE


def test_one_that_takes_too_long_is_given_up(slack: Slack) -> None:
    slack.answer = endless
    ticks = iter(range(100))
    files = SlackSharedFiles(WebClient(token="xoxb-secret", base_url=f"{slack.url}/api/"), lambda: float(next(ticks)))
    with pytest.raises(SlackBusy):
        received(files, slack, 1000)


def cut(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"x" * 500)
    handler.close_connection = True


@pytest.mark.parametrize(
    "answer", [cut, lambda h: send(h, b"", 503), lambda h: send(h, b"", 429, **{"Retry-After": "7"})]
)
def test_what_passes_is_tried_again(files: SlackSharedFiles, slack: Slack, answer: Answering) -> None:
    slack.answer = answer
    with pytest.raises(SlackBusy) as busy:
        received(files, slack, 1000)
    assert busy.value.retry_after_s in (5.0, 7.0)


def told(slack: Slack, **more: object) -> None:
    file = {"id": "F1", "name": "a.py", "size": 3, "mimetype": "text/plain", "url_private": f"{slack.url}/files/a.py"}
    slack.info = {"ok": True, "file": {**file, **more}}


def test_what_slack_tells_of_a_file(files: SlackSharedFiles, slack: Slack) -> None:
    told(slack)
    assert files.look("F1") == SharedFile("F1", "a.py", 3, "text/plain", f"{slack.url}/files/a.py")
    told(slack, url_private_download=f"{slack.url}/files/download/a.py")
    assert files.look("F1").address.endswith("/download/a.py")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"is_external": True}, WhyNot.ELSEWHERE),
        ({"url_private": ""}, WhyNot.ELSEWHERE),
        ({"url_private": "http://evil.example/a.py"}, WhyNot.ELSEWHERE),
        ({"url_private": "http://127.0.0.1:9/a.py"}, WhyNot.ELSEWHERE),
        ({"url_private": "file:///etc/passwd"}, WhyNot.ELSEWHERE),
        ({"url_private": "http://[/a.py"}, WhyNot.ELSEWHERE),
        ({"mode": "tombstone"}, WhyNot.GONE),
        ({"mode": "hidden_by_limit"}, WhyNot.GONE),
        ({"file_access": "access_denied"}, WhyNot.WITHHELD),
    ],
)
def test_files_that_cannot_be_had(files: SlackSharedFiles, slack: Slack, more: dict[str, object], why: WhyNot) -> None:
    told(slack, **more)
    with pytest.raises(SharedFileRefused) as refused:
        files.look("F1")
    assert refused.value.why is why


@pytest.mark.parametrize(
    ("error", "why"),
    [("missing_scope", WhyNot.SCOPE), ("file_deleted", WhyNot.GONE), ("team_access_not_granted", WhyNot.WITHHELD)],
)
def test_refusals_of_the_api(files: SlackSharedFiles, slack: Slack, error: str, why: WhyNot) -> None:
    slack.info = {"ok": False, "error": error}
    with pytest.raises(SharedFileRefused) as refused:
        files.look("F1")
    assert refused.value.why is why


def test_the_token_goes_to_slacks_own_hosts_alone() -> None:
    files = SlackSharedFiles(WebClient(token="xoxb-secret"), time.monotonic)
    for address in ("https://files.slack.com/files-pri/T1-F1/a.py", "https://slack.com/a"):
        assert files._is_slacks(address)
    for address in (
        "http://files.slack.com/a",
        "https://files.slack.com:8443/a",
        "https://files.slack.com.evil.example/a",
        "https://evilslack.com/a",
        "https://files.slack.com@evil.example/a",
        "https://evil.example/files.slack.com",
    ):
        assert not files._is_slacks(address)
