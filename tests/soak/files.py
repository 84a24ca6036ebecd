"""What lies on a machine, as the histories know it: the truth that inventories are held against."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Protocol

CHECKPOINTS: Final = (b".pt",)


@dataclass(frozen=True, slots=True)
class Seen:
    """A file at one moment: its bytes, and which file it is."""

    content: bytes
    inode: int


class Files(Protocol):
    """The files of one machine, by path as inventories spell it (``~/work/…``)."""

    def write(self, path: bytes, content: bytes) -> None:
        """Replace what is there, as ``>`` does."""
        ...

    def grow(self, path: bytes, content: bytes) -> None:
        """Append, and stay open for writing."""
        ...

    def close(self, path: bytes) -> None: ...
    def rename(self, path: bytes, to: bytes) -> None: ...
    def delete(self, path: bytes) -> None: ...
    def hide(self, folder: bytes) -> None:
        """Nobody but its owner may list it, or (again) everybody."""
        ...

    @property
    def open(self) -> tuple[bytes, ...]:
        """Files that are open for writing."""
        ...

    def all(self) -> dict[bytes, Seen]:
        """Everything that is there."""
        ...


def is_left_out(path: bytes, skipped: Collection[bytes] = ()) -> bool:
    """Whether a rule hides it: logins, what is ours, caches and what people said can be had again; but no checkpoint
    in them."""
    is_below = b"/__pycache__/" in path or path.startswith(tuple(folder + b"/" for folder in skipped))
    return (is_below and not path.endswith(CHECKPOINTS)) or path.startswith((b"~/.ssh/", b"~/.gpubot/"))


@dataclass
class Node:
    """A file in memory."""

    content: bytes
    inode: int
    mtime_ns: int
    ctime_ns: int


@dataclass
class Disk:
    """`Files` in memory. ``now_ns`` is the machine's clock."""

    now_ns: int
    nodes: dict[bytes, Node] = field(default_factory=dict)
    hidden: set[bytes] = field(default_factory=set)
    writers: list[bytes] = field(default_factory=list)
    inodes: int = 100

    def tick(self) -> int:
        """Time goes on by more than the file system's step, so that a later write leaves a later time."""
        self.now_ns += 5_000_000
        return self.now_ns - self.now_ns % 4_000_000 + 321  # no whole ms: a file system with fine times

    def write(self, path: bytes, content: bytes) -> None:
        """See `Files.write`."""
        at = self.tick()
        node = self.nodes.get(path)
        if node is None:
            self.inodes += 1
            node = self.nodes[path] = Node(b"", self.inodes, at, at)
        node.content, node.mtime_ns, node.ctime_ns = content, at, at

    def grow(self, path: bytes, content: bytes) -> None:
        """See `Files.grow`."""
        self.write(path, (self.nodes[path].content if path in self.nodes else b"") + content)
        if path not in self.writers:
            self.writers.append(path)

    def close(self, path: bytes) -> None:
        """See `Files.close`."""
        self.writers.remove(path)

    def rename(self, path: bytes, to: bytes) -> None:
        """See `Files.rename`."""
        node = self.nodes.pop(path)
        node.ctime_ns = self.tick()
        self.writers = [to if writer == path else writer for writer in self.writers if writer != to]
        self.nodes[to] = node

    def delete(self, path: bytes) -> None:
        """See `Files.delete`."""
        del self.nodes[path]
        self.writers = [writer for writer in self.writers if writer != path]

    def hide(self, folder: bytes) -> None:
        """See `Files.hide`."""
        self.hidden ^= {folder}

    @property
    def open(self) -> tuple[bytes, ...]:
        """See `Files.open`."""
        return tuple(self.writers)

    def all(self) -> dict[bytes, Seen]:
        """See `Files.all`."""
        return {path: Seen(node.content, node.inode) for path, node in self.nodes.items()}
