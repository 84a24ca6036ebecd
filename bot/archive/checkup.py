"""Looks at the archive as a person would try it: list, write, read back, delete, and how much room there is."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.archive.environment import base_environment, find_rclone, told_destination
from bot.archive.troubles import trouble
from bot.domain.checklist import Verdict
from bot.domain.checkup import ARCHIVE_LOW_BYTES, Finding, Group, Kind, about_room

_ARCHIVE: Final = Group.ARCHIVE
_WITHIN_S: Final = 60.0
_CONTENT: Final = b"gpubot wrote this to see whether it can; it may be deleted.\n"
_NO_SUCH_FOLDER: Final = 3
_REASONS: Final = (" ERROR : ", " CRITICAL: ", "Failed to ")


def look_at_archive(destination: str, given: Mapping[str, str], file_name: str) -> Iterator[Finding]:
    """What there is to say of the destination. ``file_name`` is written there and deleted again; ``given`` is the
    bot's own environment, of which rclone gets what it gets in the bot."""
    program = find_rclone()
    if program is None:
        verdict = Verdict.FAIL if destination else Verdict.WARN
        yield Finding(_ARCHIVE, Kind.NO_RCLONE, verdict)
    else:
        yield _about_version(program)
    if not destination:
        yield Finding(_ARCHIVE, Kind.NO_ARCHIVE, Verdict.WARN)
    elif program is not None:
        yield from _Look(program, destination.rstrip("/") or destination, base_environment(given), file_name).findings()


def _about_version(program: str) -> Finding:
    done = subprocess.run([program, "version"], capture_output=True, timeout=_WITHIN_S, check=False)
    first = done.stdout.decode("utf-8", "replace").partition("\n")[0].strip()
    if done.returncode or not first:
        return Finding(_ARCHIVE, Kind.NO_RCLONE, Verdict.FAIL)
    return Finding(_ARCHIVE, Kind.RCLONE, facts={"version": first, "program": program})


@dataclass(frozen=True, slots=True)
class _Done:
    status: int
    output: bytes
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Look:
    program: str
    destination: str
    environment: Mapping[str, str]
    file_name: str

    def findings(self) -> Iterator[Finding]:
        """Each step, until one is refused; what was written is deleted in any case."""
        listed = self._rclone("lsf", self.destination, "--max-depth", "1")
        is_new = listed.status == _NO_SUCH_FOLDER
        yield self._about("list", _Done(0, b"") if is_new else listed)
        if listed.status and not is_new:
            return
        file = f"{self.destination}{'' if self.destination.endswith(':') else '/'}{self.file_name}"
        written = self._rclone("rcat", file, content=_CONTENT)
        yield self._about("write", written)
        if written.status == 0:
            read = self._rclone("cat", file)
            if read.status == 0 and read.output != _CONTENT:
                yield self._finding(Kind.ARCHIVE_CHANGED, Verdict.FAIL)
            else:
                yield self._about("read back", read)
            yield self._about("delete", self._rclone("deletefile", file))
        yield self._about_room()
        if is_new:
            self._rclone("rmdir", self.destination)

    def _about(self, step: str, done: _Done) -> Finding:
        if done.status == 0:
            return self._finding(Kind.ARCHIVE_STEP, step=step)
        found = trouble((done.error,), done.status) if done.error else None
        why = str(found.kind) if found is not None else "failed"
        detail = done.error or f"rclone ended with {done.status}"
        return self._finding(Kind.ARCHIVE_REFUSED, Verdict.FAIL, step=step, why=why, detail=detail)

    def _about_room(self) -> Finding:
        done = self._rclone("about", self.destination, "--json")
        try:
            free = json.loads(done.output or b"{}").get("free")
        except (ValueError, AttributeError):
            free = None
        if not isinstance(free, int):
            return self._finding(Kind.ARCHIVE_ROOM_UNKNOWN)
        return about_room(_ARCHIVE, (Kind.ARCHIVE_ROOM, Kind.ARCHIVE_FULL), free, ARCHIVE_LOW_BYTES)

    def _finding(self, kind: Kind, verdict: Verdict = Verdict.OK, **facts: str) -> Finding:
        return Finding(_ARCHIVE, kind, verdict, {"where": told_destination(self.destination), **facts})

    def _rclone(self, command: str, place: str, *more: str, content: bytes = b"") -> _Done:
        try:
            done = subprocess.run(
                [self.program, command, *more, "--", place],
                env=self.environment,
                input=content,
                capture_output=True,
                timeout=_WITHIN_S,
                check=False,
            )
        except OSError as error:
            return _Done(1, b"", str(error))
        except subprocess.TimeoutExpired:
            return _Done(1, b"", f"i/o timeout: no answer within {_WITHIN_S:g} s")
        return _Done(done.returncode, done.stdout, _reason(done.stderr) if done.returncode else "")


def _reason(log: bytes) -> str:
    """The line that says why, without its time stamp."""
    lines = log.decode("utf-8", "replace").splitlines()
    for sign in _REASONS:
        for line in lines:
            if sign in line:
                return line.partition(sign)[2].strip() if sign.startswith(" ") else line[line.index(sign) :].strip()
    return ""
