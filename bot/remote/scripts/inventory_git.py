"""What git trees hold that their remotes may not. Asks git alone, never the network, and writes nothing."""
# ruff: noqa: UP006, UP035, UP045

import os
import subprocess
import time
from typing import Any, Dict, Optional

_EACH_S = 5.0
_SAFE = ("core.fsmonitor=", "core.hooksPath=/dev/null", "core.untrackedCache=false", "safe.directory=*")


def look_at(real: bytes, ends_at: float) -> Dict[str, Any]:
    """The state of the tree at ``real``: counts of uncommitted, unpushed, stashed; whether it has a remote.

    Empty where git is missing, fails or does not answer by ``ends_at`` (monotonic seconds).
    """
    status = _git(real, ends_at, "status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=none")
    remotes = _git(real, ends_at, "remote")
    stashes = _git(real, ends_at, "stash", "list", "--format=%H")
    if status is None or remotes is None or stashes is None:
        return {}
    has_commits = _git(real, ends_at, "rev-parse", "--quiet", "--verify", "HEAD") is not None
    which = ("HEAD", "--branches") if has_commits else ("--branches",)
    unpushed = _git(real, ends_at, "rev-list", "--count", *which, "--not", "--remotes")
    if unpushed is None:
        return {}
    return {
        "uncommitted": _changes(status),
        "unpushed": int(unpushed),
        "stashed": len(stashes.split()),
        "has_remote": bool(remotes.split()),
    }


def _changes(status: bytes) -> int:
    count, parts = 0, iter(status.split(b"\0")[:-1])
    for part in parts:
        count += 1
        if part[:1] in b"RC":
            next(parts, None)  # where it came from
    return count


def _git(real: bytes, ends_at: float, *words: str) -> Optional[bytes]:
    settings = [word for setting in _SAFE for word in ("-c", setting)]
    environment = dict(os.environ, GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_NO_LAZY_FETCH="1")
    left_s = min(_EACH_S, ends_at - time.monotonic())
    if left_s <= 0:
        return None
    try:
        done = subprocess.run(
            ["git", *settings, "-C", real, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=left_s,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
