"""The network that copies may take: those that run now have equal shares of it, and take over what others leave."""

import json
import os
import socket
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final

_USER: Final = "gpubot"
_WITHIN_S: Final = 1.0
_LONGEST_SOCKET: Final = 100
"""Bytes that the path of a socket may have everywhere."""


@dataclass(eq=False)
class Share:
    """One rclone's share. ``environment`` is what it starts with; it listens at a socket that only we may use."""

    bandwidth: "Bandwidth"
    socket: Path
    bytes_per_s: int
    """What it was last told."""
    password: str = field(default_factory=lambda: token_hex(16))

    @property
    def is_heard(self) -> bool:
        """Whether it can be told anything while it runs; one that cannot keeps what it has when all run."""
        return len(os.fsencode(self.socket)) <= _LONGEST_SOCKET

    @property
    def environment(self) -> Mapping[str, str]:
        """Nothing of it stands on a command line."""
        limit = {"RCLONE_BWLIMIT": f"{self.bytes_per_s}B"}
        if not self.is_heard:
            return limit
        return limit | {
            "RCLONE_RC": "true",
            "RCLONE_RC_ADDR": f"unix://{self.socket}",
            "RCLONE_RC_USER": _USER,
            "RCLONE_RC_PASS": self.password,
        }

    def keep_up(self) -> None:
        """Tell rclone its share where that is another by now; one that does not listen yet is told at the next call."""
        wanted = self.bandwidth.part
        if wanted == self.bytes_per_s or not self.is_heard or not self.socket.exists():
            return
        if self._ask({"rate": f"{wanted}B"}) is not None:
            self.bytes_per_s = wanted

    def rate(self) -> int | None:
        """What rclone itself says that it may take; None: it does not say."""
        told = self._ask({})
        return int(told["bytesPerSecond"]) if told is not None else None

    def _ask(self, parameters: Mapping[str, str]) -> dict[str, Any] | None:
        """Its answer; None where it gave none, or refused."""
        password = b64encode(f"{_USER}:{self.password}".encode()).decode("ascii")
        headers = {"Authorization": f"Basic {password}", "Content-Type": "application/json"}
        with suppress(OSError, HTTPException, ValueError), closing(_Connection(self.socket)) as connection:
            connection.request("POST", "/core/bwlimit", json.dumps(parameters), headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())
            return told if answer.status == 200 and isinstance(told, dict) else None
        return None


class _Connection(HTTPConnection):
    """To a socket in a folder."""

    def __init__(self, path: Path) -> None:
        super().__init__("rclone", timeout=_WITHIN_S)
        self._path = path

    def connect(self) -> None:
        """One that cannot be made is closed at once."""
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.settimeout(_WITHIN_S)
            made.connect(str(self._path))
        except OSError:
            made.close()
            raise
        self.sock = made


@dataclass
class Bandwidth:
    """Shared by all copies of one process. Together they never take more than ``bytes_per_s``, but for the half second
    in which those that run hear of one that begins."""

    bytes_per_s: int
    copies: int
    """So many run at most."""
    shares: list[Share] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @property
    def part(self) -> int:
        """What each of those that run may take now."""
        return max(1, self.bytes_per_s // max(1, len(self.shares)))

    @contextmanager
    def share(self) -> Iterator[Share]:
        """For as long as one rclone runs."""
        with TemporaryDirectory(prefix="gpubot-") as folder:
            with self._lock:
                share = Share(self, Path(folder) / "s", 0)
                self.shares.append(share)
                share.bytes_per_s = self.part if share.is_heard else max(1, self.bytes_per_s // self.copies)
            try:
                yield share
            finally:
                with self._lock:
                    self.shares.remove(share)
