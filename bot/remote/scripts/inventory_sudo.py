"""Root's eyes, where the login user may borrow them without a password. They only ever look."""
# ruff: noqa: UP045

import subprocess
import time
from typing import Optional

_ASK_S = 5.0


class Sudo:
    """``find`` by root; ``ends_at``: monotonic seconds, when there is no time left."""

    def __init__(self, ends_at: float) -> None:
        self._ends_at = ends_at
        self._works: Optional[bool] = None

    def find(self, *words: bytes) -> Optional[bytes]:
        """What find printed; None where root's eyes cannot be had or it did not end well."""
        if self._works is None:
            self._works = self._run(_ASK_S, b"true") is not None
        return self._run(self._ends_at - time.monotonic(), b"find", *words) if self._works else None

    @staticmethod
    def _run(within_s: float, *words: bytes) -> Optional[bytes]:
        try:
            done = subprocess.run(
                [b"sudo", b"-n", b"--", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=max(0.1, within_s),
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout if done.returncode == 0 else None
