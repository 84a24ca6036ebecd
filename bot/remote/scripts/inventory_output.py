"""How names and lines leave the machine: JSON in ASCII; names are UTF-8 with surrogate escapes."""
# ruff: noqa: UP006, UP035

import json
import sys
from typing import Any, Dict


def said(name: bytes) -> str:
    """A name as JSON carries it."""
    return name.decode("utf-8", "surrogateescape")


def raw(name: str) -> bytes:
    """The name again."""
    return name.encode("utf-8", "surrogateescape")


def write(line: Dict[str, Any]) -> None:
    """One line of the output, on its way at once."""
    sys.stdout.buffer.write(json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n")
    sys.stdout.buffer.flush()
