"""One run of rclone: its own process group, its log read as it comes, ended when it is told to or stalls."""

import json
import os
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import IO, Any, Final

from bot.archive.bandwidth import Bandwidth, Share
from bot.archive.troubles import is_of_one_file, trouble
from bot.ports.archive import Progress, ShouldStop, Trouble, TroubleKind

_GIVES_UP_AFTER_S: Final = 2.0
"""After an error, if nothing moves any more: by itself rclone would call a machine that is gone for minutes."""

_LOOK_S: Final = 0.25
_ENDS_WITHIN_S: Final = 5.0
_MESSAGES_AT_MOST: Final = 50
_LINE_LIMIT_BYTES: Final = 256 * 1024
_PIECE_BYTES: Final = 64 * 1024


@dataclass
class Run:
    """What a run has come to. ``output``: its stdout, whole."""

    output: bytes = b""
    trouble: Trouble | None = None


@dataclass
class Rclone:
    """How to start it. ``stall_s``: after so long without a byte or a file it counts as stalled."""

    program: str
    environment: Mapping[str, str]
    stall_s: float = 300.0
    bandwidth: Bandwidth | None = None
    """What it has a share of while it runs; None: it moves no data, or has a limit of its own, or none at all."""

    def run(
        self,
        command: Sequence[str],
        places: Sequence[str | bytes],
        names: Sequence[bytes] | None,
        should_stop: ShouldStop,
        on_progress: Callable[[Progress], None] | None = None,
        more: Mapping[str, str] | None = None,
    ) -> Run:
        """One command on the files ``names`` of ``places`` (None: on all). ``more``: environment for this one.

        The names travel by stdin, ended by NUL: all else cannot express every name, and is seen by others.
        """
        log = ("--use-json-log", "--stats", "500ms", "--stats-log-level", "NOTICE")
        which = [] if names is None else ["--files-from0", "-"]
        words = [self.program, *command, *which, *log, "--", *places]
        with tempfile.TemporaryFile() as listed, self._share() as share:
            limit = share.environment if share is not None else {}
            listed.write(b"".join(name + b"\0" for name in names or ()))
            listed.seek(0)
            try:
                process = subprocess.Popen(
                    words,
                    stdin=listed,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={**self.environment, **(more or {}), **limit},
                    start_new_session=True,
                )
            except OSError as error:
                return Run(trouble=Trouble(TroubleKind.NO_ARCHIVE, str(error)))
            with process:
                return _Watch(process, should_stop, on_progress, self.stall_s, share).run()

    def _share(self) -> AbstractContextManager[Share | None]:
        return nullcontext() if self.bandwidth is None else self.bandwidth.share()


@dataclass
class _Watch:
    """Follows one process to its end."""

    process: subprocess.Popen[bytes]
    should_stop: ShouldStop
    on_progress: Callable[[Progress], None] | None
    stall_s: float
    share: Share | None = None
    messages: list[str] = field(default_factory=list)
    moved: tuple[int, ...] = ()
    moved_at: float = field(default_factory=monotonic)

    def run(self) -> Run:
        output, log, ended_by_us = bytearray(), bytearray(), None
        pipes = ((self.process.stdout, output), (self.process.stderr, log))
        try:
            with selectors.DefaultSelector() as ready:
                for pipe, into in pipes:
                    if pipe is not None:
                        ready.register(pipe, selectors.EVENT_READ, into)
                while ready.get_map() and ended_by_us is None:
                    for key, _ in ready.select(_LOOK_S):
                        if not _read_some(key.fileobj, key.data):
                            ready.unregister(key.fileobj)
                        elif key.data is output:
                            self.moved_at = monotonic()
                    self._take_lines(log)
                    if self.share is not None:
                        self.share.keep_up()
                    ended_by_us = self._why_end()
        finally:
            self._end()
        if ended_by_us is not None:
            return Run(bytes(output), ended_by_us)
        return Run(bytes(output), trouble(tuple(self.messages), self.process.returncode))

    def _why_end(self) -> Trouble | None:
        if self.should_stop():
            return Trouble(TroubleKind.STOPPED)
        if self.messages and monotonic() - self.moved_at > _GIVES_UP_AFTER_S:
            return trouble(tuple(self.messages), 1)
        if monotonic() - self.moved_at > self.stall_s:
            return Trouble(TroubleKind.STALLED, f"nothing moved for {self.stall_s:g} s")
        return None

    def _take_lines(self, log: bytearray) -> None:
        while (at := log.find(b"\n")) >= 0:
            line = bytes(log[:at])
            del log[: at + 1]
            with suppress(ValueError, RecursionError):
                found = json.loads(line)
                if isinstance(found, dict):
                    self._take(found)
        if len(log) > _LINE_LIMIT_BYTES:
            log.clear()

    def _take(self, line: dict[str, Any]) -> None:
        stats, message = line.get("stats"), str(line.get("msg", ""))
        if isinstance(stats, dict):
            self._progress(stats)
        elif line.get("level") in ("error", "critical", "fatal") and not is_of_one_file(message):
            is_about_others = message.startswith(("Attempt ", "Can't retry"))
            if not is_about_others and len(self.messages) < _MESSAGES_AT_MOST:
                self.messages.append(message)

    def _progress(self, stats: dict[str, Any]) -> None:
        numbers = {name: value for name, value in stats.items() if isinstance(value, int | float)}
        moved = tuple(int(numbers.get(name, 0)) for name in ("bytes", "transfers", "checks", "listed"))
        if moved != self.moved:
            self.moved, self.moved_at = moved, monotonic()
        if self.on_progress is not None:
            self.on_progress(
                Progress(
                    size_bytes=moved[0],
                    total_bytes=int(numbers.get("totalBytes", 0)),
                    files=moved[1],
                    total_files=int(numbers.get("totalTransfers", 0)),
                    bytes_per_s=float(numbers.get("speed", 0.0)),
                    eta_s=numbers.get("eta"),
                )
            )

    def _end(self) -> None:
        """Politely, then not: rclone removes its partial files when it is asked to end."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is not None:
                break
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_ENDS_WITHIN_S)


def _read_some(pipe: IO[bytes] | Any, into: bytearray) -> bool:
    piece = os.read(pipe.fileno(), _PIECE_BYTES)
    into += piece
    return bool(piece)
