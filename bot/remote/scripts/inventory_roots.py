"""The places that are watched: as people spell them (``~/work``), and where they really are."""
# ruff: noqa: UP006, UP035, UP045
# ruff: noqa: PTH116, PTH208

import errno
import os
from typing import List, NamedTuple, Optional, Tuple

_WHY = {errno.ENOENT: "missing", errno.ENOTDIR: "not-a-folder"}


class Root(NamedTuple):
    """``shown`` has no slash at its end; ``real`` is free of links."""

    shown: bytes
    real: bytes
    device: int
    inode: int


class Roots:
    """All of them. Several spellings of one directory are one root."""

    def __init__(self, home: bytes, shown: List[bytes]) -> None:
        self.home = os.path.realpath(home)
        self.all: List[Root] = []
        self.missing: List[Tuple[bytes, str]] = []
        for spelling in shown:
            name = spelling.rstrip(b"/")
            real = self._real(name)
            try:
                found = os.stat(real)
                os.listdir(real)
            except PermissionError:
                found = os.stat(real)
            except OSError as error:
                self.missing.append((spelling, _WHY.get(error.errno or 0, "unreadable")))
                continue
            if not any((root.device, root.inode) == (found.st_dev, found.st_ino) for root in self.all):
                self.all.append(Root(name, real.rstrip(b"/"), found.st_dev, found.st_ino))
        self.identities = frozenset((root.device, root.inode) for root in self.all)

    def spellings(self, path: bytes) -> List[bytes]:
        """All spellings by which a walk may meet a path that somebody typed in one of them."""
        shown = self.shown(self._real(path))
        return [path] if shown is None else [path, shown]

    def _real(self, name: bytes) -> bytes:
        return os.path.realpath(self.home + name[1:] if name[:1] == b"~" else name or b"/")

    def shown(self, real: bytes) -> Optional[bytes]:
        """How a real path is spelled; None where it lies outside."""
        inside = [root for root in self.all if real == root.real or real.startswith(root.real + b"/")]
        if not inside:
            return None
        root = max(inside, key=lambda root: len(root.real))
        return root.shown + real[len(root.real) :]
