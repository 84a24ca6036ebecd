"""The archive over rclone: copies from SFTP, and verifies by hashes of both sides."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from bot.archive.bandwidth import Bandwidth
from bot.archive.environment import MACHINE, MARK, base_environment, find_rclone, machine_environment
from bot.archive.listing import SEPARATOR, listed, read_back, sizes
from bot.archive.names import ONE_BY_ONE, in_groups
from bot.archive.process import Rclone
from bot.archive.strays import end_marked
from bot.archive.troubles import trouble
from bot.domain.inventory.files import archived_as
from bot.domain.inventory.hashes import HashKind
from bot.domain.inventory.verification import Fate, FileResult, Reason, verify, worth_another_try
from bot.ports.archive import (
    CopyOrder,
    HashFiles,
    OnProgress,
    Place,
    Saved,
    ShouldStop,
    Trouble,
    TroubleKind,
)
from bot.ports.clock import Clock

_HASHES: Final = {"md5": HashKind.MD5, "sha1": HashKind.SHA1, "sha256": HashKind.SHA256}
_FEATURES_WITHIN_S: Final = 60.0
_READING_STALL_S: Final = 3600.0
"""A big file that is hashed moves nothing that rclone would tell of."""


class RcloneArchive:
    """See `bot.ports.archive.Archive`.

    ``destination``: any rclone destination, empty where there is no archive. ``work_dir``: for what a run needs
    meanwhile; nothing secret is in it. ``environment``: the bot's own, of which rclone gets what it needs.
    ``bandwidth``: of the network, for all copies and whatever is read back together; None: all.
    """

    def __init__(
        self,
        destination: str,
        work_dir: Path,
        environment: Mapping[str, str],
        *,
        stall_s: float = 300.0,
        bandwidth: Bandwidth | None = None,
    ) -> None:
        self._destination, self._work_dir = destination.rstrip("/") or destination, work_dir
        self._program = find_rclone() if destination else None
        self._environment = base_environment(environment)
        self._stall_s, self._bandwidth = stall_s, bandwidth
        self._lock = Lock()
        self._kind: tuple[HashKind, bool] | None = None

    def save(
        self, order: CopyOrder, hash_files: HashFiles, on_progress: OnProgress, should_stop: ShouldStop, clock: Clock
    ) -> Saved:
        """See `Archive.save`. The second try copies whatever differs, whatever its size and time say."""
        kind = self.hash_kind()
        if isinstance(kind, Trouble):
            return Saved(tuple(_untold(path) for path in order.paths), kind)
        self.end_strays(order.place)
        results: dict[bytes, FileResult] = {}
        paths, trouble_met = order.paths, None
        for is_again in (False, True):
            trouble_met = self._copy(order, paths, on_progress, should_stop, is_again=is_again)
            archived = self.hashes(order.place, paths, should_stop)
            if isinstance(archived, Trouble):
                trouble_met = trouble_met or archived
                break
            verified = verify(paths, hash_files(paths, kind), archived, kind, clock())
            results |= {result.path: result for result in verified}
            paths = worth_another_try(verified)
            if trouble_met is not None or not paths:
                break
        return Saved(tuple(results.get(path) or _untold(path) for path in order.paths), trouble_met)

    def hashes(self, place: Place, paths: Sequence[bytes], should_stop: ShouldStop) -> Mapping[bytes, str] | Trouble:
        """See `Archive.hashes`."""
        kind = self.hash_kind()
        if isinstance(kind, Trouble) or self._kind is None:
            return kind if isinstance(kind, Trouble) else Trouble(TroubleKind.FAILED)
        is_shared = self._kind[1]
        command = ["lsf", "-R", "--files-only", "--format", "hp", "--hash", kind.value, "--separator", SEPARATOR]
        names = {archived_as(path): path for path in paths}
        here = self._place(place)
        found: dict[bytes, str] = {}
        for group, how in in_groups(tuple(names)):
            run = self._rclone(_READING_STALL_S).run(command, [here], group, should_stop, more=self._mark(place) | how)
            if run.trouble is not None and not run.output:
                return run.trouble
            found |= listed(run.output)
        if not is_shared and found:
            again = ["hashsum", kind.value, "--download"]
            more = self._mark(place) | ONE_BY_ONE
            back = self._moving(_READING_STALL_S).run(again, [here], tuple(found), should_stop, more=more)
            found = dict.fromkeys(found, "") | read_back(back.output)
        return {names[name]: digest for name, digest in found.items() if name in names}

    def held(self, place: Place, should_stop: ShouldStop) -> Mapping[bytes, int] | Trouble:
        """See `Archive.held`."""
        if self._program is None:
            return Trouble(TroubleKind.NO_ARCHIVE, "no destination, or no rclone")
        command = ["lsf", "-R", "--files-only", "--format", "sp", "--separator", SEPARATOR]
        run = self._rclone(self._stall_s).run(command, [self._place(place)], None, should_stop)
        if run.trouble is not None:
            return {} if "directory not found" in run.trouble.detail else run.trouble
        return sizes(run.output)

    def read(self, place: Place, name: bytes, most_bytes: int, should_stop: ShouldStop) -> bytes | Trouble:
        """See `Archive.read`."""
        if self._program is None:
            return Trouble(TroubleKind.NO_ARCHIVE, "no destination, or no rclone")
        command = ["cat", "--count", str(most_bytes + 1)]
        run = self._moving(self._stall_s).run(command, [self._place(place)], [name], should_stop, more=ONE_BY_ONE)
        return run.output if run.trouble is None else run.trouble

    def hash_kind(self) -> HashKind | Trouble:
        """See `Archive.hash_kind`. Asked of the destination once."""
        if self._program is None:
            return Trouble(TroubleKind.NO_ARCHIVE, "no destination, or no rclone")
        with self._lock:
            if self._kind is None:
                found = self._look_for_hashes(self._program)
                if isinstance(found, Trouble):
                    return found
                self._kind = found
            return self._kind[0]

    def end_strays(self, place: Place) -> int:
        """See `Archive.end_strays`. What they left on this machine goes as well."""
        run_dir = self._run_dir(place)
        ended = end_marked(MARK, str(run_dir))
        shutil.rmtree(run_dir, ignore_errors=True)
        return ended

    def _copy(
        self,
        order: CopyOrder,
        paths: Sequence[bytes],
        on_progress: OnProgress,
        should_stop: ShouldStop,
        *,
        is_again: bool,
    ) -> Trouble | None:
        run_dir = self._run_dir(order.place)
        run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            more = machine_environment(order.login, run_dir / "known_hosts") | self._mark(order.place)
            for folder, source in (("home", order.home), ("root", b"/")):
                names = [name for name in map(archived_as, paths) if name.startswith(f"{folder}/".encode())]
                if not names:
                    continue
                below = [name.partition(b"/")[2] for name in names]
                command = ["copy", "--backup-dir", f"{self._place(order.place)}/earlier/{order.stamp}/{folder}"]
                command += ["--ignore-times"] if is_again else []
                command += ["--bwlimit", f"{order.bytes_per_s}B"] if order.bytes_per_s else []
                places: list[str | bytes] = [f"{MACHINE}:".encode() + source, f"{self._place(order.place)}/{folder}"]
                for group, how in in_groups(below):
                    rclone = self._rclone(self._stall_s) if order.bytes_per_s else self._moving(self._stall_s)
                    run = rclone.run(command, places, group, should_stop, on_progress, more | how)
                    if run.trouble is not None:
                        return run.trouble
        except ValueError as error:
            return Trouble(TroubleKind.HOST_KEY_CHANGED, str(error))
        finally:
            shutil.rmtree(run_dir, ignore_errors=True)
        return None

    def _look_for_hashes(self, program: str) -> tuple[HashKind, bool] | Trouble:
        """The kind, and whether the destination makes it by itself."""
        try:
            done = subprocess.run(
                [program, "backend", "features", "--", self._destination],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_FEATURES_WITHIN_S,
                check=False,
            )
            told = [str(name) for name in json.loads(done.stdout or b"{}").get("Hashes") or []]
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return Trouble(TroubleKind.DESTINATION_AWAY, str(error)[:500])
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            return trouble(tuple(message), done.returncode) or Trouble(TroubleKind.FAILED)
        shared = [_HASHES[name] for name in _HASHES if name in told]
        return (shared[0], True) if shared else (HashKind.SHA256, False)

    def _rclone(self, stall_s: float) -> Rclone:
        return Rclone(self._program or "rclone", self._environment, stall_s)

    def _moving(self, stall_s: float) -> Rclone:
        """For what takes of the network."""
        return Rclone(self._program or "rclone", self._environment, stall_s, self._bandwidth)

    def _place(self, place: Place) -> str:
        return place.below(self._destination)

    def _run_dir(self, place: Place) -> Path:
        return self._work_dir.resolve() / f"copy-{place.path.replace('/', '-')}"

    def _mark(self, place: Place) -> dict[str, str]:
        return {MARK: str(self._run_dir(place))}


def _untold(path: bytes) -> FileResult:
    """Whether there is a copy is not known, so it is none that counts."""
    return FileResult(path, Fate.NOT_VERIFIED, Reason.NOT_REACHED)
