"""What the local provider's machines are made of, and whether it is all here: Python, SSH server, disk."""

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.domain.checklist import Verdict
from bot.domain.checkup import LOCAL_DISK_LOW_BYTES, Finding, Group, Kind, about_room
from bot.providers.local.sessions import SHELL
from bot.providers.local.system_path import SYSTEM_PATH

_GROUP: Final = Group.PROVIDERS
_WITHIN_S: Final = 20.0


def look_at_parts(root: Path, python: Path | None) -> Iterator[Finding]:
    """``root``: the provider's directory, whether or not it is there; ``python``: what machines get as python3."""
    yield _about_python(python)
    yield _about_server()
    yield _about_disk(root)


def _about_python(python: Path | None) -> Finding:
    found = str(python) if python else shutil.which("python3", path=SYSTEM_PATH) or sys.executable
    try:
        done = subprocess.run(
            [found, "-c", "import platform; print(platform.python_version())"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WITHIN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        detail = error.strerror or "" if isinstance(error, OSError) else f"no answer within {_WITHIN_S:g} s"
        return Finding(_GROUP, Kind.LOCAL_NO_PYTHON, Verdict.FAIL, {"python": found, "detail": detail})
    if done.returncode:
        detail = f"it ended with {done.returncode}"
        return Finding(_GROUP, Kind.LOCAL_NO_PYTHON, Verdict.FAIL, {"python": found, "detail": detail})
    version = done.stdout.decode("ascii", "replace").strip()
    return Finding(_GROUP, Kind.LOCAL_PYTHON, facts={"python": found, "version": version})


def _about_server() -> Finding:
    """The server is asyncssh in a process of its own; its sessions run in the shell."""
    missing = [] if importlib.util.find_spec("asyncssh") else ["the package asyncssh"]
    missing += [program for program in (SHELL, "/bin/sh") if not shutil.which(program)]
    if missing:
        return Finding(_GROUP, Kind.LOCAL_NO_SERVER, Verdict.FAIL, {"missing": ", ".join(missing)})
    return Finding(_GROUP, Kind.LOCAL_SERVER, facts={"shell": SHELL})


def _about_disk(root: Path) -> Finding:
    near = next(folder for folder in (root.absolute(), *root.absolute().parents) if folder.is_dir())
    free = shutil.disk_usage(near).free
    return about_room(_GROUP, (Kind.LOCAL_DISK, Kind.LOCAL_DISK_LOW), free, LOCAL_DISK_LOW_BYTES)
