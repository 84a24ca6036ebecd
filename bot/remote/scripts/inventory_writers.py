"""Who writes: files below the roots that a process holds open for writing, or maps for it."""
# ruff: noqa: UP006, UP035
# ruff: noqa: PTH115, PTH123, PTH208

import os
import re
from typing import Iterator, Set

from bot.remote.scripts.inventory_roots import Roots
from bot.remote.scripts.inventory_rules import Rules
from bot.remote.scripts.inventory_sudo import Sudo

_MAY_WRITE = 0o200
_MAPPED = re.compile(rb"^\S+ .w.s \S+ \S+ \d+ +(/.*)$", re.MULTILINE)
_BY_ROOT = (b"/proc", b"-maxdepth", b"3", b"-path", b"/proc/[0-9]*/fd/*", b"-type", b"l", b"-perm", b"-200")


class Writers:
    """``open``: shown paths, from all looks together. ``unseen``: how many processes could not be looked into."""

    def __init__(self, roots: Roots, rules: Rules, sudo: Sudo) -> None:
        self.open: Set[bytes] = set()
        self.unseen = 0
        self._roots, self._rules, self._sudo = roots, rules, sudo

    def look(self) -> None:
        """Once over all processes."""
        unseen = 0
        for name in os.listdir(b"/proc"):
            if not name.isdigit():
                continue
            process = b"/proc/" + name
            try:
                for path in _written_by(process):
                    self._add(path)
            except PermissionError:
                unseen += not _holds_nothing(process)
            except OSError:
                continue  # it ended meanwhile
        if unseen:
            found = self._sudo.find(*_BY_ROOT, b"-printf", b"%l\\0")
            unseen = 0 if found is not None else unseen
            for path in (found or b"").split(b"\0"):
                self._add(path)
        self.unseen = max(self.unseen, unseen)

    def _add(self, real: bytes) -> None:
        shown = self._roots.shown(real) if real[:1] == b"/" else None
        if shown is None:
            return
        rule = self._rules.of_path(shown)
        if not rule or not self._rules.hides(rule, shown, 1 << 20):
            self.open.add(shown)


def _written_by(process: bytes) -> Iterator[bytes]:
    for descriptor in os.listdir(process + b"/fd"):
        link = process + b"/fd/" + descriptor
        try:
            if os.lstat(link).st_mode & _MAY_WRITE:
                yield os.readlink(link)
        except FileNotFoundError:
            continue
    with open(process + b"/maps", "rb") as maps:
        yield from _MAPPED.findall(maps.read())


def _holds_nothing(process: bytes) -> bool:
    """Kernel threads, which are children of process 2, and what has ended."""
    try:
        with open(process + b"/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return True
    return words[0] in (b"Z", b"X") or words[1] == b"2" or process == b"/proc/2"
