"""The network that copies may take: those that run now have equal shares of it, and take over what others leave."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final

import httpx

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
        with suppress(httpx.HTTPError):
            if self._ask({"rate": f"{wanted}B"}).is_success:
                self.bytes_per_s = wanted

    def rate(self) -> int | None:
        """What rclone itself says that it may take; None: it does not say."""
        with suppress(httpx.HTTPError, ValueError, KeyError):
            return int(self._ask({}).json()["bytesPerSecond"])
        return None

    def _ask(self, parameters: Mapping[str, str]) -> httpx.Response:
        transport = httpx.HTTPTransport(uds=str(self.socket))
        with httpx.Client(transport=transport, timeout=_WITHIN_S, auth=(_USER, self.password)) as client:
            return client.post("http://rclone/core/bwlimit", json=parameters)


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
