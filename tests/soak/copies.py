"""A simulated archive: rclone's adapter as it is, but that what rclone does is done in memory, with faults."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from bot.archive.rclone import RcloneArchive
from bot.domain.inventory.files import archived_as
from bot.domain.inventory.hashes import HashKind
from bot.ports.archive import CopyOrder, OnProgress, Place, ShouldStop, Trouble, TroubleKind
from tests.soak.files import Disk


class Copies(RcloneArchive):
    """``faults``: for each next file that is copied: cut, full, stopped, torn (half of it is stored, in silence)."""

    def __init__(self, disk: Disk, is_up: Callable[[], bool], at: Callable[[str], None]) -> None:
        super().__init__("", Path(), {})
        self._disk, self._is_up, self._at = disk, is_up, at
        self.held: dict[tuple[Place, bytes], list[bytes]] = {}
        """What lies there, the newest version last."""
        self.faults: list[str] = []

    def holds(self, place: Place, path: bytes, content: bytes) -> bool:
        """Whether these very bytes lie there, as that file or as an earlier version of it."""
        return content in self.held.get((place, archived_as(path)), ())

    def hash_kind(self) -> HashKind | Trouble:
        """See `Archive.hash_kind`."""
        return HashKind.SHA256

    def end_strays(self, place: Place) -> int:
        """See `Archive.end_strays`."""
        return 0

    def hashes(self, place: Place, paths: Sequence[bytes], should_stop: ShouldStop) -> Mapping[bytes, str] | Trouble:
        """See `Archive.hashes`."""
        self._at("archive.asked")
        found = {path: self.held.get((place, archived_as(path))) for path in paths}
        return {path: sha256(versions[-1]).hexdigest() for path, versions in found.items() if versions}

    def _copy(
        self,
        order: CopyOrder,
        paths: Sequence[bytes],
        on_progress: OnProgress,
        should_stop: ShouldStop,
        *,
        is_again: bool,
    ) -> Trouble | None:
        for path in paths:
            self._at("archive.copying")
            fault = self.faults.pop(0) if self.faults else ""
            if fault in _ENDS or not self._is_up():
                return Trouble(_ENDS.get(fault, TroubleKind.CONNECTION_CUT))
            node = self._disk.nodes.get(path)
            if node is None:
                continue
            content = node.content[: len(node.content) // 2] if fault == "torn" else node.content
            versions = self.held.setdefault((order.place, archived_as(path)), [])
            if not versions or versions[-1] != content:
                versions.append(content)
        self._at("archive.copied")
        return None


_ENDS = {
    "cut": TroubleKind.CONNECTION_CUT,
    "full": TroubleKind.DESTINATION_FULL,
    "stopped": TroubleKind.STOPPED,
}
