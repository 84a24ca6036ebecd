"""Files on a machine as one look saw them, and the compact memory of what needs no telling."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from struct import pack
from typing import Final

KEY_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was at one moment. Any write to it changes its state; a rename makes it another file."""

    path: bytes
    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @property
    def digest(self) -> bytes:
        """16 bytes that stand for path, size and both times; the inventory script makes the same."""
        times = pack("<qqq", self.size_bytes, self.mtime_ns, self.ctime_ns)
        return blake2b(times + self.path, digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class KnownFiles:
    """States that need no telling: what the image brought, and what was verified in the archive.

    ``keys``: `KEY_BYTES` of each digest, sorted: 1.6 MB for 200,000 files. Keys of states that are no more do no
    harm, as no file comes back to a ctime.
    """

    keys: bytes = b""

    def with_states(self, states: Iterable[FileState]) -> "KnownFiles":
        """These as well."""
        return self.with_keys(b"".join(state.digest[:KEY_BYTES] for state in states))

    def with_keys(self, keys: bytes) -> "KnownFiles":
        """These as well, which come one behind another in any order."""
        both = self.keys + keys
        return KnownFiles(b"".join(sorted({both[at : at + KEY_BYTES] for at in range(0, len(both), KEY_BYTES)})))

    def __len__(self) -> int:
        return len(self.keys) // KEY_BYTES


def archived_as(path: bytes) -> bytes:
    """Where a file lies below its lease's place in the archive: ``home/…`` or ``root/…``."""
    return b"home" + path[1:] if path.startswith(b"~/") else b"root" + path
