"""What is left out of an inventory, by which rule. A rule never hides a checkpoint."""
# ruff: noqa: UP006, UP035

import os
import re
from typing import Dict

_CACHE, _PACKAGES, _EDITOR, _SHELL, _LOGINS = "cache", "packages", "editor", "shell", "logins"
JOB_LOGS, OURS = "job-logs", "gpubot"
SKIPPED, ENVIRONMENT, FILE_SYSTEM = "skipped", "environment", "file-system"

ANYWHERE: Dict[bytes, str] = {
    b"__pycache__": _CACHE,
    b".cache": _CACHE,
    b".pytest_cache": _CACHE,
    b".mypy_cache": _CACHE,
    b".ruff_cache": _CACHE,
    b".nv": _CACHE,
    b".triton": _CACHE,
    b".npm": _CACHE,
    b"node_modules": _PACKAGES,
    b"site-packages": _PACKAGES,
    b"dist-packages": _PACKAGES,
    b".vscode-server": _EDITOR,
    b".cursor-server": _EDITOR,
    b"lost+found": FILE_SYSTEM,
}
"""Directories by name."""

AT_HOME: Dict[bytes, str] = {
    b"~/.gpubot": OURS,
    b"~/.gpubot/jobs": JOB_LOGS,
    b"~/.ssh/authorized_keys": _LOGINS,
    b"~/.ssh/known_hosts": _LOGINS,
    b"~/.bash_history": _SHELL,
    b"~/.zsh_history": _SHELL,
    b"~/.python_history": _SHELL,
    b"~/.lesshst": _SHELL,
    b"~/.viminfo": _SHELL,
    b"~/.wget-hsts": _SHELL,
    b"~/.sudo_as_admin_successful": _SHELL,
}
"""Files and directories by path."""

PART_PREFIX = b".gpubot-"
_PART = re.compile(rb"\.gpubot-[0-9a-z]+-[0-9]+-[0-9]+\.part")
"""What a dropped file is written as; a machine that stopped meanwhile keeps it. The thread still has the file."""

_CHECKPOINTS = (
    b".pt",
    b".pth",
    b".ckpt",
    b".safetensors",
    b".bin",
    b".h5",
    b".hdf5",
    b".keras",
    b".onnx",
    b".gguf",
    b".msgpack",
    b".pdparams",
    b".nemo",
    b".distcp",
)
_PATH_LIST_BYTES = 4096
"""A .pth file up to this size is one of Python's own lists of paths."""


class Rules:
    """The rules of one inventory; ``skipped`` are paths that a person has declared to be of no worth."""

    def __init__(self, skipped: Dict[bytes, str]) -> None:
        self._by_path = {**AT_HOME, **skipped}
        self.folders = frozenset(os.path.dirname(path) + b"/" for path in self._by_path)  # noqa: PTH120 - bytes

    def of_directory(self, path: bytes, name: bytes, above: str) -> str:
        """The rule that holds in a directory; ``above`` is the one of its parent, empty where none holds."""
        if above and above != OURS:
            return above
        return self._by_path.get(path) or above or ANYWHERE.get(name, "")

    def of_file(self, path: bytes, above: str) -> str:
        """The rule that a file falls under."""
        if above:
            return above
        name = path[path.rfind(b"/") + 1 :]
        if name.startswith(PART_PREFIX) and _PART.fullmatch(name):
            return OURS
        return self._by_path.get(path, "")

    def of_path(self, path: bytes) -> str:
        """As if walked to, but for what only a look into directories can tell."""
        rule, at = "", path.find(b"/")
        while at >= 0:
            begin, at = at + 1, path.find(b"/", at + 1)
            if at >= 0:
                rule = self.of_directory(path[:at], path[begin:at], rule)
        return self.of_file(path, rule)

    @staticmethod
    def hides(rule: str, path: bytes, size_bytes: int) -> bool:
        """Whether a regular file under that rule is left out."""
        if rule in (OURS, JOB_LOGS):
            return True
        if path.endswith(b".pth") and size_bytes <= _PATH_LIST_BYTES:
            return True
        return not path.endswith(_CHECKPOINTS)


def of_look(real: bytes) -> str:
    """The rule for a directory by what is in it."""
    found = os.path.lexists(real + b"/pyvenv.cfg") or os.path.lexists(real + b"/conda-meta")
    return ENVIRONMENT if found else ""
