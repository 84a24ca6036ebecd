"""Files that people shared in Slack, asked for and downloaded. Implements `bot.ports.shared_files.SharedFiles`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.drops.drop import WhyNot
from bot.errors import SharedFileRefused, SlackBusy
from bot.ports.shared_files import SharedFile
from handlers.slack_errors import DEFAULT_WAIT_S, from_post, reason_of

log = structlog.get_logger()
PIECE_BYTES: Final = 64 * 1024
_CONNECT_S: Final = 10.0
_SILENT_S: Final = 30.0
_GONE: Final = frozenset({"file_not_found", "file_deleted"})
_NO_SCOPE: Final = frozenset({"missing_scope", "no_permission"})
_NO_LONGER: Final = frozenset({"tombstone", "hidden_by_limit"})
_HTML: Final = "text/html"
_PORTS: Final = {"https": 443, "http": 80}


class SlackSharedFiles:
    """Thread-safe. The token goes to Slack's own hosts and nowhere else."""

    def __init__(self, client: WebClient, monotonic: Callable[[], float]) -> None:
        self._client, self._monotonic = client, monotonic

    def look(self, file_id: str) -> SharedFile:
        """By ``files.info``, always: an event may hold no more than an id (Slack Connect), and is old when it is
        worked on."""
        try:
            answer = self._client.files_info(file=file_id)
        except SlackApiError as error:
            raise _refused(error) from error
        except (SlackClientError, OSError, HTTPException) as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        return self._told(answer.get("file") or {}, file_id)

    @contextmanager
    def content(self, file: SharedFile, most_bytes: int, deadline_s: float) -> Iterator[Iterator[bytes]]:
        """See `SharedFiles.content`. Nothing is followed elsewhere: a redirect is how Slack leads to its login page."""
        headers = {"Authorization": f"Bearer {self._client.token}", "Accept-Encoding": "identity"}
        timeout = httpx.Timeout(_SILENT_S, connect=_CONNECT_S)
        ends_at = self._monotonic() + deadline_s
        try:
            with (
                httpx.Client(timeout=timeout, follow_redirects=False) as http,
                http.stream("GET", file.address, headers=headers) as response,
            ):
                _check(response, file, most_bytes)
                yield self._pieces(response, file, most_bytes, ends_at)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            log.info("file.not-sent", file=file.id, error=type(error).__name__)
            raise SlackBusy(DEFAULT_WAIT_S) from error

    def _pieces(self, response: httpx.Response, file: SharedFile, most_bytes: int, ends_at: float) -> Iterator[bytes]:
        """httpx itself raises where fewer bytes come than were promised."""
        received = 0
        for piece in response.iter_bytes(PIECE_BYTES):
            received += len(piece)
            if received > most_bytes:
                raise SharedFileRefused(WhyNot.TOO_LARGE)
            if self._monotonic() > ends_at:
                raise SlackBusy(DEFAULT_WAIT_S)
            yield piece
        if _is_html(response) and received != file.size_bytes:
            raise SharedFileRefused(WhyNot.SCOPE)

    def _told(self, told: dict[str, Any], file_id: str) -> SharedFile:
        if told.get("mode") in _NO_LONGER or told.get("file_access") == "file_not_found":
            raise SharedFileRefused(WhyNot.GONE)
        if told.get("file_access") not in (None, "visible"):
            raise SharedFileRefused(WhyNot.WITHHELD)
        address = str(told.get("url_private_download") or told.get("url_private") or "")
        if told.get("is_external") or not self._is_slacks(address):
            raise SharedFileRefused(WhyNot.ELSEWHERE)
        name = str(told.get("name") or told.get("title") or "")
        return SharedFile(file_id, name, int(told.get("size") or 0), str(told.get("mimetype") or ""), address)

    def _is_slacks(self, address: str) -> bool:
        """Whether it is of the host whose Web API is used, or of one below that (``files.slack.com``)."""
        try:
            wanted, ours = urlsplit(address), urlsplit(self._client.base_url)
            ports = [parts.port or _PORTS.get(parts.scheme) for parts in (wanted, ours)]
        except ValueError:
            return False
        host, our_host = (wanted.hostname or "").lower(), (ours.hostname or "").lower()
        is_below = host == our_host or host.endswith(f".{our_host}")
        return bool(our_host) and wanted.scheme == ours.scheme and ports[0] == ports[1] and is_below


def _check(response: httpx.Response, file: SharedFile, most_bytes: int) -> None:
    """Slack answers whoever may not read a file with its login page: by a redirect, or at once and as a success."""
    status = response.status_code
    if status == 429 or status >= 500:
        raise SlackBusy(_wait_s(response))
    if status in (404, 410):
        raise SharedFileRefused(WhyNot.GONE)
    if status != 200:
        raise SharedFileRefused(WhyNot.SCOPE)
    length = _whole(response.headers.get("content-length"))
    if _is_html(response) and not (_HTML in file.mimetype and length in (None, file.size_bytes)):
        raise SharedFileRefused(WhyNot.SCOPE)
    if length is not None and length > most_bytes:
        raise SharedFileRefused(WhyNot.TOO_LARGE)


def _is_html(response: httpx.Response) -> bool:
    return str(response.headers.get("content-type", "")).lower().startswith(_HTML)


def _wait_s(response: httpx.Response) -> float:
    return float(_whole(response.headers.get("retry-after")) or DEFAULT_WAIT_S)


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def _refused(error: SlackApiError) -> SharedFileRefused | SlackBusy:
    reason = reason_of(error)
    if reason in _GONE:
        return SharedFileRefused(WhyNot.GONE)
    if reason in _NO_SCOPE:
        return SharedFileRefused(WhyNot.SCOPE)
    busy = from_post(error)
    if isinstance(busy, SlackBusy):
        return busy
    log.warning("file.withheld", reason=reason)
    return SharedFileRefused(WhyNot.WITHHELD)
