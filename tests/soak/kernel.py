"""The shipped scripts on a machine in memory: their own code, over an operating system that is simulated."""

import errno
import os
import posixpath
import stat
import types
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final

import bot.remote.scripts
from bot.ports.remote import Step
from bot.remote.bundle import PACKAGE, bundle
from tests.soak.files import Disk, Node, Seen

HOME: Final = b"/home/dev"
_SCRIPTS: Final = Path(bot.remote.scripts.__file__).parent
_STEPS: Final = (Step.INVENTORY, Step.HASH_FILES)
_DEVICE: Final = 7
_KINDS: Final = {"dir": stat.S_IFDIR | 0o755, "file": stat.S_IFREG | 0o644}


@dataclass(frozen=True, slots=True)
class _Stat:
    """As of os.stat."""

    st_mode: int
    st_size: int
    st_mtime_ns: int
    st_ctime_ns: int
    st_ino: int
    st_dev: int = _DEVICE

    @property
    def st_ctime(self) -> float:
        return self.st_ctime_ns / 1e9


def _of(node: Node) -> _Stat:
    return _Stat(_KINDS["file"], len(node.content), node.mtime_ns, node.ctime_ns, node.inode)


@dataclass(frozen=True, slots=True)
class _Entry:
    """As of os.scandir; its file is *seen* when its state is asked for."""

    kernel: "Kernel"
    name: bytes
    path: bytes

    def is_file(self, *, follow_symlinks: bool) -> bool:
        return self.kernel.shown(self.path) in self.kernel.disk.nodes

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        return not self.is_file(follow_symlinks=False)

    def stat(self, *, follow_symlinks: bool) -> _Stat:
        return self.kernel.stat(self.path)


class _Listed(list[_Entry]):
    """os.scandir is closed."""

    def __enter__(self) -> "_Listed":
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


@dataclass
class Kernel:
    """What the scripts see of a machine. ``at``: told at places where something else may happen meanwhile."""

    disk: Disk
    at: Callable[[str], None]
    monotonic_s: float = 0.0
    slow_s: float = 0.0
    """What each directory takes."""
    saw: dict[bytes, Seen] = field(default_factory=dict)
    """What the walk that is under way has seen of files, each at the moment of its look."""
    _open: dict[int, Node] = field(default_factory=dict)
    _at: dict[int, int] = field(default_factory=dict)
    _fds: int = 2

    @staticmethod
    def real(path: bytes) -> bytes:
        """Where ``~/…`` is."""
        return HOME + path[1:] if path[:1] == b"~" else path

    @staticmethod
    def shown(path: bytes) -> bytes:
        """The way back."""
        return b"~" + path[len(HOME) :] if path.startswith(HOME) else path

    def folders(self) -> set[bytes]:
        """Every directory."""
        found = {HOME, HOME + b"/work"}
        for path in self.disk.nodes:
            above = posixpath.dirname(self.real(path))
            while above not in found and above != b"/":
                found.add(above)
                above = posixpath.dirname(above)
        return found

    # system calls

    def listdir(self, path: bytes) -> list[bytes]:
        if path == b"/proc":
            return [b"1"]
        if path == b"/proc/1/fd":
            return [b"%d" % number for number, _ in enumerate(self.disk.writers)]
        return [entry.name for entry in self.scandir(path)]

    def scandir(self, path: bytes) -> _Listed:
        self.at("look.walking")
        self.monotonic_s += self.slow_s
        if self.shown(path) in self.disk.hidden:
            raise PermissionError(errno.EACCES, "hidden")
        if path not in self.folders():
            raise FileNotFoundError(errno.ENOENT, "no such folder")
        inside = sorted({*map(self.real, self.disk.nodes), *self.folders()})
        return _Listed(_Entry(self, posixpath.basename(p), p) for p in inside if posixpath.dirname(p) == path)

    def stat(self, path: bytes) -> _Stat:
        shown = self.shown(path)
        if shown in self.disk.nodes:
            node = self.disk.nodes[shown]
            self.saw[shown] = Seen(node.content, node.inode)
            return _of(node)
        if path not in self.folders():
            raise FileNotFoundError(errno.ENOENT, "gone")
        return _Stat(_KINDS["dir"], 0, 0, 0, hash(path))

    def lstat(self, _path: bytes) -> _Stat:
        return _Stat(stat.S_IFLNK | 0o700, 0, 0, 0, 0)

    def readlink(self, path: bytes) -> bytes:
        return self.real(self.disk.writers[int(posixpath.basename(path))])

    def open(self, path: bytes, _flags: int) -> int:
        shown = self.shown(path)
        if shown not in self.disk.nodes:
            raise FileNotFoundError(errno.ENOENT, "gone")
        if posixpath.dirname(shown) in self.disk.hidden:
            raise PermissionError(errno.EACCES, "hidden")
        self._fds += 1
        self._open[self._fds], self._at[self._fds] = self.disk.nodes[shown], 0
        return self._fds

    def fstat(self, fd: int) -> _Stat:
        return _of(self._open[fd])

    def read(self, fd: int, size: int) -> bytes:
        self.at("hash.reading")
        piece = self._open[fd].content[self._at[fd] : self._at[fd] + size]
        self._at[fd] += len(piece)
        return piece

    def close(self, fd: int) -> None:
        del self._open[fd], self._at[fd]

    def wait(self, s: float) -> None:
        self.monotonic_s += s
        self.disk.now_ns += int(s * 1e9) + 1_000_000

    # the scripts

    def run(self, step: Step, stdin: bytes) -> str:
        """What a script prints."""
        self.saw = {}
        out = BytesIO()
        modules = _modules(step)
        for module in modules.values():
            module.__dict__.update(self._system(module.__dict__, stdin, out))
        modules["__main__"].main()
        return out.getvalue().decode("utf-8")

    def _system(self, names: dict[str, Any], stdin: bytes, out: BytesIO) -> dict[str, Any]:
        path = _Fallback(
            posixpath,
            expanduser=lambda _: os.fsdecode(HOME) if isinstance(_, str) else HOME,
            realpath=lambda path: path,
            lexists=lambda path: path in self.folders() or self.shown(path) in self.disk.nodes,
        )
        fake: dict[str, Any] = {
            "os": _Fallback(os, path=path, **{name: getattr(self, name) for name in _CALLS}),
            "sys": types.SimpleNamespace(stdin=types.SimpleNamespace(buffer=BytesIO(stdin)), stdout=_Out(out)),
            "time": types.SimpleNamespace(time=lambda: self.disk.now_ns / 1e9, monotonic=lambda: self.monotonic_s),
            "gc": types.SimpleNamespace(disable=lambda: None),
            "threading": types.SimpleNamespace(Event=lambda: types.SimpleNamespace(wait=self.wait)),
            "subprocess": types.SimpleNamespace(run=_no_program, DEVNULL=-3, PIPE=-1, SubprocessError=OSError),
            "ThreadPoolExecutor": _OneByOne,
            "walk_all": _walk_all,
        }
        return {name: value for name, value in fake.items() if name in names} | {"open": lambda *_: BytesIO()}


_CALLS: Final = ("listdir", "scandir", "stat", "lstat", "readlink", "open", "fstat", "read", "close")


class _Fallback:
    """A module, but for some names."""

    def __init__(self, module: Any, **names: Any) -> None:
        self._module = module
        self.__dict__.update(names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _Out(StringIO):
    """Text and bytes go to one place."""

    def __init__(self, out: BytesIO) -> None:
        super().__init__()
        self.buffer = out

    def write(self, text: str) -> int:
        return self.buffer.write(text.encode())


class _OneByOne:
    """A pool without threads."""

    def __init__(self, _workers: int) -> None: ...
    def __enter__(self) -> "_OneByOne":
        return self

    def __exit__(self, *_: object) -> None: ...
    def map(self, call: Callable[[Any], Any], things: Sequence[Any]) -> Iterator[Any]:
        return map(call, things)


def _no_program(*_: object, **__: object) -> Future[None]:
    raise OSError(errno.ENOENT, "no such program")


def _walk_all(start: Callable[[Any], Any], folders: list[Any], limit_bytes: int) -> Any:
    walk = start(_modules(Step.INVENTORY)[f"{PACKAGE}.inventory_found"].Found(limit_bytes))
    walk.run(folders)
    return walk.found


_LOADED: dict[Step, dict[str, types.ModuleType]] = {}


def _modules(step: Step) -> dict[str, types.ModuleType]:
    """The modules of a script, made of the text that is sent to machines."""
    if not _LOADED:
        for one in _STEPS:
            _LOADED[one] = _load(bundle(_SCRIPTS / one.value))
    return _LOADED[step]


def _load(program: bytes) -> dict[str, types.ModuleType]:
    text = program.decode("ascii").partition("\n")[0].removeprefix("TEXTS = ")
    modules: dict[str, types.ModuleType] = {}
    for name, code in eval(text):  # noqa: S307 - our own list of texts
        module = modules[name] = types.ModuleType(name)
        for imported in [line for line in code.splitlines() if line.startswith(f"from {PACKAGE}.")]:
            source, _, names = imported.removeprefix("from ").partition(" import ")
            for word in names.split(","):
                module.__dict__[word.strip()] = getattr(modules[source], word.strip())
        module.__dict__["__name__"] = name if name != "__main__" else f"{PACKAGE}.main"
        own = "\n".join(line for line in code.splitlines() if not line.startswith(f"from {PACKAGE}."))
        exec(compile(own, name, "exec"), module.__dict__)  # noqa: S102 - the shipped scripts
    return modules
