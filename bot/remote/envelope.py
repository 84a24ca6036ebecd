"""How a script travels and how its output is told from everything else that a login prints.

The command line is one constant word list that every login shell reads alike. Script and arguments follow on
stdin, so that they are read by ``sh`` alone and are not seen in the machine's process list; after a line that
nobody can guess comes the step's own stdin. Output stands between two such lines.

A look at a machine is often less work than the processes around it, so there are few: on a connection that has shown
that the machine can end a step, it is not tried again, and no program is started only to read.
"""

import re
import shlex
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Envelope:
    """What to run and what to write to it. ``token`` is random and new for every run.

    ``bounded``: the command for where a step is known to end with `Opened.is_bounded`.
    """

    command: str
    bounded: str
    stdin: bytes
    token: str


@dataclass(frozen=True, slots=True)
class Opened:
    """The script's own output, and its exit status. ``is_bounded``: the machine would have ended it by itself."""

    text: str
    exit_status: int
    is_bounded: bool = False


_START = 'if timeout -k 2 2 true 2>/dev/null; then exec timeout -k 2 "$1" sh -c "$0" sh bounded; fi; shift; eval "$0"'
"""sshd leaves a command to itself when the connection goes: the machine has to end it, where it can."""

_READ = 'LC_ALL=C; n="${{IFS#??}}"; x=; while IFS= read -r l && [ "$l" != {last} ]; do x="$x$l$n"; done; eval "$x"'
"""The shell itself reads no further than a line. IFS ends in a line's end, which no command line can hold."""


def seal(script: str, args: tuple[str, ...], stdin: bytes, token: str, limit_s: int) -> Envelope:
    """Wrap ``script`` (POSIX sh) with its positional arguments. The script's stderr comes with its stdout.

    After ``limit_s`` seconds the machine itself ends the script and what it started, unless in its own session.

    In the script, ``GPUBOT_STDIN_BYTES`` is the length of ``stdin``: a connection that dies looks like its end.

    Raises:
        ValueError: an argument holds a NUL, which no shell can carry.
    """
    if any("\0" in arg for arg in args):
        raise ValueError("an argument of a remote step holds a NUL")
    last = f"gpubot-last-{token}"
    prologue = "\n".join(
        (
            "LC_ALL=C; PATH=${PATH:-/usr/bin:/bin}:/usr/local/bin:/usr/sbin:/sbin; export LC_ALL PATH",
            f"GPUBOT_STDIN_BYTES={len(stdin)}; export GPUBOT_STDIN_BYTES",
            'cd "${HOME:-/}" || cd /',
            f"printf '\\n%s\\n' gpubot-begin-{token}",
            "(",
            shlex.join(("set", "--", *args)),
            script,
            ") 2>&1",
            f'printf \'\\n%s %d%s\\n\' gpubot-end-{token} "$?" "${{1:+ $1}}"',
            "exit 0",
            last,
            "",
        )
    ).encode("utf-8", "surrogateescape")
    read = _READ.format(last=last)
    command = f"exec sh -c '{_START}' '{read}' {limit_s}"
    bounded = f"exec timeout -k 2 {limit_s} sh -c '{read}' sh bounded"
    return Envelope(command, bounded, prologue + stdin, token)


class Opener:
    """Collects output until the closing line has come. A line of its own counts, an echo of the script does not."""

    def __init__(self, token: str) -> None:
        self._said = bytearray()
        self._begin = f"\ngpubot-begin-{token}\n".encode()
        self._end = re.compile(rb"\ngpubot-end-" + token.encode() + rb" (\d{1,3})( bounded)?\n")
        self._end_prefix = len(self._begin) + 8
        self._searched = 0

    def take(self, chunk: bytes) -> Opened | None:
        """Add what came; the whole once it is there."""
        self._said += chunk
        end = self._end.search(self._said, max(0, self._searched - self._end_prefix))
        self._searched = len(self._said)
        begin = self._said.find(self._begin) if end is not None else -1
        if end is None or begin < 0:
            return None
        body = self._said[begin + len(self._begin) : end.start()]
        return Opened(body.decode("utf-8", "replace"), int(end.group(1)), end.group(2) is not None)

    def __len__(self) -> int:
        return len(self._said)

    def said_instead(self, characters: int) -> str:
        """The first characters of what came, without blank edges."""
        return self._said[: 4 * characters].decode("utf-8", "replace").strip()[:characters]
