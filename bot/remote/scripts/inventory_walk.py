"""The walk: every file's digest against those that are known, in one pass."""
# ruff: noqa: UP006, UP035
# ruff: noqa: PTH110, PTH115

import os
import stat
import time
from hashlib import blake2b
from struct import Struct
from typing import Any, FrozenSet, List, NamedTuple, Set, Tuple

from bot.remote.scripts.inventory_found import SHOWN, Found, Tree
from bot.remote.scripts.inventory_output import said
from bot.remote.scripts.inventory_roots import Roots
from bot.remote.scripts.inventory_rules import FILE_SYSTEM, PART_PREFIX, Rules, of_look
from bot.remote.scripts.inventory_sudo import Sudo

_LINKS_LOOKED_AT = 1000
_SYSTEM = (b"/usr/", b"/bin/", b"/lib", b"/sbin/", b"/etc/", b"/proc/", b"/sys/", b"/dev/", b"/opt/", b"/nix/")
_KINDS = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFCHR: "device", stat.S_IFBLK: "device"}
_TIMES = Struct("<qqq").pack
"""Size in bytes, mtime and ctime in ns: what a digest is of, with the shown path behind them."""

Unsynced = List[Tuple[int, int, bytes, bytes]]
"""Size, mtime_ns, path and digest each."""


class Folder(NamedTuple):
    """A directory to be looked into: under which rule, in which git tree, on which device."""

    shown: bytes
    real: bytes
    rule: str
    tree: bytes
    device: int


class Wanted(NamedTuple):
    """What is asked of a walk."""

    known: FrozenSet[bytes]
    """First 8 bytes of the digests of what needs no telling."""
    apart: Set[bytes]
    """Shown paths that stay out of the fingerprint and are told one by one."""
    share: Tuple[int, int]
    """(k, n): the k-th of n equal shares of the unsynced is listed; k < 0: none."""
    baseline: bool
    """Whether all digests are told."""
    young_since_ns: int
    ends_at: float
    """Monotonic seconds."""


class Walk:
    """Walks, and keeps what it finds in ``found``."""

    def __init__(self, roots: Roots, rules: Rules, sudo: Sudo, wanted: Wanted, found: Found) -> None:
        self.found = found
        self._roots, self._rules, self._sudo, self._wanted = roots, rules, sudo, wanted
        self._tells_all = wanted.baseline or wanted.share[0] >= 0

    def run(self, stack: List[Folder], until_wide: int = 0) -> None:
        """Over the folders in ``stack`` and what is below them on their disks.

        With ``until_wide``: breadth first, and only until so many folders are left in ``stack``.
        """
        while stack and (not until_wide or len(stack) < until_wide):
            if time.monotonic() >= self._wanted.ends_at:
                self.found.was_cut = True
                return
            folder = stack.pop(0 if until_wide else -1)
            try:
                with os.scandir(folder.real or b"/") as listed:
                    entries = list(listed)
            except OSError as error:
                self._unreadable(folder, error)
                continue
            if os.path.lexists(folder.real + b"/.git"):
                self.found.trees[folder.shown] = Tree(folder.real, folder.rule)
                folder = folder._replace(tree=folder.shown)
            folder = folder._replace(rule=folder.rule or of_look(folder.real))
            self._look_through(entries, folder, stack)

    def _look_through(self, entries: List[Any], folder: Folder, stack: List[Folder]) -> None:
        """Everything in one directory. The first lines of the loop are all that most files meet."""
        shown, unsynced = folder.shown + b"/", []  # type: bytes, Unsynced
        is_plain = not folder.rule and shown not in self._rules.folders
        known, apart, young_since_ns = self._wanted.known, self._wanted.apart, self._wanted.young_since_ns
        times, tells_all, ours, plain = _TIMES, self._tells_all, PART_PREFIX, 0
        for entry in entries:
            try:
                if is_plain and not entry.name.startswith(ours) and entry.is_file(follow_symlinks=False):
                    seen, path, plain = entry.stat(follow_symlinks=False), shown + entry.name, plain + 1
                    size, mtime_ns, ctime_ns = seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
                    digest = blake2b(times(size, mtime_ns, ctime_ns) + path, digest_size=16).digest()
                    if ctime_ns > young_since_ns:
                        self.found.young += 1
                    if tells_all or path in apart:
                        self._tell(path, seen, digest)
                    if digest[:8] not in known:
                        unsynced.append((size, mtime_ns, path, digest))
                elif entry.is_dir(follow_symlinks=False):
                    self._enter(entry, folder, stack)
                else:
                    seen, real = entry.stat(follow_symlinks=False), folder.real + b"/" + entry.name
                    self._other(shown + entry.name, real, seen, folder.rule, unsynced)
            except OSError as error:
                if error.errno != 2:
                    self.found.blind.add(said(shown + entry.name), "unreadable")
        self.found.seen += plain
        if unsynced:
            self._count(unsynced, folder.tree)

    def _enter(self, entry: Any, folder: Folder, stack: List[Folder]) -> None:
        path = folder.shown + b"/" + entry.name
        rule = self._rules.of_directory(path, entry.name, folder.rule)
        seen = entry.stat(follow_symlinks=False)
        if (seen.st_dev, seen.st_ino) in self._roots.identities:
            return  # a root of its own
        if seen.st_dev == folder.device:
            stack.append(Folder(path, folder.real + b"/" + entry.name, rule, folder.tree, folder.device))
        else:
            self.found.blind.add(said(path), "mount")

    def _other(self, path: bytes, real: bytes, seen: Any, above: str, unsynced: Unsynced) -> None:
        """A file that a rule may hide, or something that is no file."""
        is_file, rule = stat.S_ISREG(seen.st_mode), self._rules.of_file(path, above)
        if rule and (not is_file or self._rules.hides(rule, path, seen.st_size)):
            self.found.leave_out(rule, 1, seen.st_size)
            return
        times = _TIMES(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        digest = blake2b(times + path, digest_size=16).digest()
        is_known = digest[:8] in self._wanted.known
        self.found.seen += 1
        if is_file:
            self.found.young += seen.st_ctime_ns > self._wanted.young_since_ns
            self._tell(path, seen, digest)
            if not is_known:
                unsynced.append((seen.st_size, seen.st_mtime_ns, path, digest))
            return
        if self._wanted.baseline:
            self.found.digests.add(digest[:8])
        if not is_known:
            self._odd(path, real, seen.st_mode)

    def _odd(self, path: bytes, real: bytes, mode: int) -> None:
        """A link, pipe, socket or device: named, never followed or read."""
        if not stat.S_ISLNK(mode):
            self.found.special.add(said(path), _KINDS.get(stat.S_IFMT(mode), "unknown"))
            return
        self.found.links.add(said(path), said(os.readlink(real)))
        if self.found.links.count > _LINKS_LOOKED_AT:
            return
        target = os.path.realpath(real)
        if self._roots.shown(target) is None and not target.startswith(_SYSTEM) and os.path.exists(target):
            self.found.blind.add(said(path), "link")

    def _tell(self, path: bytes, seen: Any, digest: bytes) -> None:
        if self._wanted.baseline:
            self.found.digests.add(digest[:8])
        state = seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino
        if path in self._wanted.apart:
            self.found.apart[path] = state
        share, shares = self._wanted.share
        if share < 0 or digest[:8] in self._wanted.known:
            return
        if int.from_bytes(digest[8:12], "big") % shares == share:
            self.found.listing.add(b"%d %d %d %d %b" % (*state, path))

    def _count(self, unsynced: Unsynced, tree: bytes) -> None:
        found, number, apart = self.found, int.from_bytes, self._wanted.apart
        found.files += len(unsynced)
        found.bytes += sum([entry[0] for entry in unsynced])
        found.fingerprint += sum([number(entry[3], "big") for entry in unsynced])
        if apart:
            found.fingerprint -= sum([number(entry[3], "big") for entry in unsynced if entry[2] in apart])
        if len(found.biggest) < SHOWN or max(unsynced)[0] > found.biggest[-1][0]:
            found.show_biggest([entry[:3] for entry in unsynced])
        if len(found.newest) < SHOWN or max([entry[1] for entry in unsynced]) > found.newest[-1][0]:
            found.show_newest([(mtime_ns, size, path) for size, mtime_ns, path, _ in unsynced])
        if tree:
            found.touched_trees.add(tree)

    def _unreadable(self, folder: Folder, error: OSError) -> None:
        """A directory that this user may not list: by root's eyes, or else a blind spot."""
        if error.errno == 2 or folder.rule == FILE_SYSTEM:
            return
        listed = None
        if error.errno == 13:
            listed = self._sudo.find(folder.real, b"-xdev", b"-printf", b"%y %s %T@ %C@ %i %P\\0")
        if listed is None:
            self.found.blind.add(said(folder.shown), "unreadable")
            return
        self.found.by_root.add(said(folder.shown))
        unsynced: Unsynced = []
        for line in listed.split(b"\0")[:-1]:
            kind, size, mtime, ctime, inode, below = line.split(b" ", 5)
            path = folder.shown + b"/" + below
            if kind == b"l":
                self.found.links.add(said(path), "")
            elif kind == b"f":
                seen = _Seen(stat.S_IFREG, int(size), _ns(mtime), _ns(ctime), int(inode))
                self._other(path, folder.real + b"/" + below, seen, folder.rule, unsynced)
        if unsynced:
            self._count(unsynced, folder.tree)


class _Seen(NamedTuple):
    """As of os.stat."""

    st_mode: int
    st_size: int
    st_mtime_ns: int
    st_ctime_ns: int
    st_ino: int


def _ns(seconds: bytes) -> int:
    whole, _, part = seconds.partition(b".")
    return int(whole) * 10**9 + int(part[:9].ljust(9, b"0"))
