"""How often the kernel has killed for want of memory: on the whole machine, and in our own control group."""
# ruff: noqa: UP006, UP035, UP045

from pathlib import Path
from typing import List, Optional

from bot.remote.scripts.job_files import Record


def oom_kills(root: Path = Path("/")) -> Record:
    """Counters that only grow; None where one cannot be seen. ``group`` counts us and what runs beside us."""
    return {
        "machine": _counted(root / "proc/vmstat"),
        "group": next((found for found in map(_counted, _group_files(root)) if found is not None), None),
    }


def risen(before: Record, after: Record) -> Record:
    """By how much each counter grew."""
    return {
        name: None if before[name] is None or after[name] is None else after[name] - before[name] for name in before
    }


def _group_files(root: Path) -> List[Path]:
    found = []
    for line in _lines(root / "proc/self/cgroup"):
        number, controllers, path = [*line.split(":", 2), "", ""][:3]
        mount = root / "sys/fs/cgroup"
        if number == "0":
            # In a container the path may be the host's own and lead nowhere: the mount itself is the group then.
            found += [mount / path.lstrip("/") / "memory.events", mount / "memory.events"]
        elif "memory" in controllers.split(","):
            found += [mount / "memory" / path.lstrip("/") / "memory.oom_control", mount / "memory/memory.oom_control"]
    return found


def _counted(path: Path) -> Optional[int]:
    for line in _lines(path):
        words = line.split()
        if len(words) == 2 and words[0] == "oom_kill" and words[1].isdigit():
            return int(words[1])
    return None


def _lines(path: Path) -> List[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
