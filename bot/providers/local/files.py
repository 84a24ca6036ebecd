"""Small JSON files, written whole or not at all, and locks that hold across processes and threads."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in ``path``; None where there is no such file (any more) or it is not one."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def write_json(path: Path, content: Mapping[str, Any], is_lasting: bool = False) -> None:
    """Replace ``path``: a reader sees the old or the new text, never a part. Mode 0600."""
    write_private(path, json.dumps(content, indent=1), is_lasting=is_lasting)


def write_private(path: Path, text: str, mode: int = 0o600, is_lasting: bool = False) -> None:
    """Replace ``path`` by ``text`` at once, readable as ``mode`` says.

    ``is_lasting``: it also survives a crash of the host, which takes milliseconds.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as stream:
            stream.write(text)
            if is_lasting:
                stream.flush()
                os.fsync(fd)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def make_private_dir(path: Path) -> Path:
    """The directory, made where it is missing, 0700; so are those above it that are missing."""
    if not path.parent.exists():
        make_private_dir(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    return path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold ``path`` against all other threads and processes; a holder that dies lets go."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
