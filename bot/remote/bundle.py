"""How a Python script and the modules that it shares with others become one text, and how a machine runs it."""

import re
from pathlib import Path

PACKAGE = "bot.remote.scripts"
_IMPORT = re.compile(rf"^from {re.escape(PACKAGE)}\.(\w+) import", re.MULTILINE)

_RUN = """\
import sys
from types import ModuleType
for name, text in TEXTS:
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
"""

_LOADER = """\
# gpubot: a step, or the keeper of a job
import os, sys
size = int(sys.argv.pop(1))
text = b""
while len(text) < size:
    piece = os.read(0, size - len(text))
    if not piece:
        break
    text += piece
if sys.version_info < (3, 6) or len(text) < size:
    print("{\\"error\\": \\"%s\\"}" % ("stdin-cut" if len(text) < size else "old-python3"))
    sys.exit(127)
os.environ["GPUBOT_STDIN_BYTES"] = str(int(os.environ["GPUBOT_STDIN_BYTES"]) - size)
exec(compile(text, "gpubot", "exec"), {"__name__": "gpubot"})
"""
"""The text comes by stdin, ahead of the step's own: it is long, and a keeper shows its command line for days.

Isolated (-I): a file ``json.py`` in somebody's home must not be loaded in place of the real one.
"""

_START = """\
for python in python3 /opt/conda/bin/python3 "$HOME"/miniconda3/bin/python3 "$HOME"/anaconda3/bin/python3 \\
    /opt/venv/bin/python3 /venv/bin/python3 "$(bash -lc 'command -v python3' 2>/dev/null </dev/null)"; do
    command -v "$python" >/dev/null 2>&1 && exec "$python" -I -S -c '{loader}' {size} "$@"
done
printf '{{"error": "no-python3"}}\\n'
exit 127
"""


def bundle(path: Path) -> bytes:
    """One program of a script and all that it imports from beside it."""
    texts: dict[str, str] = {}
    _collect(path, "__main__", texts)
    return f"TEXTS = {list(texts.items())!a}\n{_RUN}".encode("ascii")


def starter(program: bytes) -> str:
    """The POSIX sh script that runs ``program``, which has to stand on stdin before the step's own stdin.

    Prints ``{"error": CODE}`` and exits 127 where that cannot be: no-python3, old-python3, stdin-cut.
    """
    return _START.format(loader=_LOADER, size=len(program))


def _collect(path: Path, name: str, texts: dict[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for imported in _IMPORT.findall(text):
        if f"{PACKAGE}.{imported}" not in texts:
            _collect(path.with_name(f"{imported}.py"), f"{PACKAGE}.{imported}", texts)
    texts[name] = text
