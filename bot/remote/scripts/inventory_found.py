"""What a walk has found; several processes' findings add up."""
# ruff: noqa: UP006, UP035

import base64
import heapq
import zlib
from typing import Any, Dict, List, NamedTuple, Set, Tuple

SHOWN = 5
_NAMED_AT_MOST = 50
_CHUNK_BYTES = 256 * 1024


_SUMS = ("seen", "files", "bytes", "young", "fingerprint")
_CHUNKS = ("listing", "digests")
_NAMED = ("links", "special", "blind", "by_root")


class Tree(NamedTuple):
    """A git tree; ``rule``: under which it is left out."""

    real: bytes
    rule: str


class Chunks:
    """A long list, compressed piece by piece. After ``limit_bytes`` no more is taken, and counted as refused."""

    def __init__(self, limit_bytes: int, joint: bytes) -> None:
        self.refused = 0
        self._packed: List[str] = []
        self._left_bytes, self._joint = limit_bytes, joint
        self._parts: List[bytes] = []
        self._size_bytes = 0

    def add(self, part: bytes) -> None:
        """One more; it must not hold the joint."""
        if self._left_bytes <= 0:
            self.refused += 1
            return
        self._parts.append(part)
        self._size_bytes += len(part)
        if self._size_bytes >= _CHUNK_BYTES:
            self._pack()

    def take(self, lines: List[str], refused: int) -> None:
        """Another's pieces behind these."""
        self._packed += lines
        self.refused += refused

    def lines(self) -> List[str]:
        """The pieces: base64 of zlib."""
        self._pack()
        return self._packed

    def _pack(self) -> None:
        if self._parts:
            packed = base64.b64encode(zlib.compress(self._joint.join(self._parts), 6)).decode("ascii")
            self._left_bytes -= len(packed)
            self._packed.append(packed)
        self._parts, self._size_bytes = [], 0


class Named:
    """The first few of something, and how many there are."""

    def __init__(self) -> None:
        self.count = 0
        self.first: List[Any] = []

    def add(self, *what: str) -> None:
        """One more."""
        self.count += 1
        if len(self.first) < _NAMED_AT_MOST:
            self.first.append(what)

    def take(self, count: int, first: List[Any]) -> None:
        """Another's as well."""
        self.count += count
        self.first = (self.first + first)[:_NAMED_AT_MOST]

    def told(self) -> Dict[str, Any]:
        """For the summary."""
        return {"count": self.count, "first": sorted(self.first)}


class Found:
    """``files``, ``bytes`` and ``fingerprint`` are of what is not known; ``seen`` counts all that no rule hides."""

    def __init__(self, limit_bytes: int) -> None:
        self.listing, self.digests = Chunks(limit_bytes, b"\0"), Chunks(limit_bytes, b"")
        self.seen = self.files = self.bytes = self.young = self.fingerprint = 0
        self.newest: List[Tuple[int, int, bytes]] = []
        """mtime_ns, size, path; newest first."""
        self.biggest: List[Tuple[int, int, bytes]] = []
        """size, mtime_ns, path; biggest first."""
        self.apart: Dict[bytes, Tuple[int, int, int, int]] = {}
        """size, mtime_ns, ctime_ns, inode of what was to be told apart."""
        self.left_out: Dict[str, List[int]] = {}
        """Number and bytes by rule."""
        self.links, self.special, self.blind, self.by_root = Named(), Named(), Named(), Named()
        self.trees: Dict[bytes, Tree] = {}
        self.touched_trees: Set[bytes] = set()
        self.was_cut = False

    def leave_out(self, rule: str, number: int, size_bytes: int) -> None:
        """Count what a rule hides."""
        sums = self.left_out.setdefault(rule, [0, 0])
        sums[0] += number
        sums[1] += size_bytes

    def show_biggest(self, entries: List[Tuple[int, int, bytes]]) -> None:
        """Keep the biggest of these and of those before."""
        self.biggest = heapq.nlargest(SHOWN, self.biggest + entries)

    def show_newest(self, entries: List[Tuple[int, int, bytes]]) -> None:
        """Keep the newest of these and of those before."""
        self.newest = heapq.nlargest(SHOWN, self.newest + entries)

    def plain(self) -> Dict[str, Any]:
        """All of it in built-in types, for another process."""
        found: Dict[str, Any] = {
            name: getattr(self, name) for name in (*_SUMS, "newest", "biggest", "apart", "left_out")
        }
        found.update({name: (getattr(self, name).lines(), getattr(self, name).refused) for name in _CHUNKS})
        found.update({name: (getattr(self, name).count, getattr(self, name).first) for name in _NAMED})
        found["trees"] = {path: tuple(tree) for path, tree in self.trees.items()}
        found["touched_trees"], found["was_cut"] = list(self.touched_trees), self.was_cut
        return found

    def take(self, other: Dict[str, Any]) -> None:
        """Another's findings as well, as `plain` gives them."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + other[name])
        for name in (*_CHUNKS, *_NAMED):
            getattr(self, name).take(*other[name])
        for rule, (number, size_bytes) in other["left_out"].items():
            self.leave_out(rule, number, size_bytes)
        self.show_biggest(other["biggest"])
        self.show_newest(other["newest"])
        self.apart.update(other["apart"])
        self.trees.update({path: Tree(*tree) for path, tree in other["trees"].items()})
        self.touched_trees.update(other["touched_trees"])
        self.was_cut = self.was_cut or other["was_cut"]
