"""One step over one open channel: write, read as it comes, stop when the closing line is there."""

from typing import Any

from bot.errors import StepGarbled, StepTimedOut, Unreachable
from bot.remote.connection import Connection, translated
from bot.remote.deadline import Deadline
from bot.remote.envelope import Envelope, Opened, Opener

PIECE_BYTES = 32 * 1024
WRITE_POLL_S = 0.05
STATUS_WAIT_S = 2.0
DETAIL_CHARACTERS = 500


def talk(connection: Connection, channel: Any, envelope: Envelope, deadline: Deadline, limit_bytes: int) -> Opened:
    """Run the envelope on a fresh channel. The watchdog has to guard the connection meanwhile.

    Raises:
        StepTimedOut: the deadline passed.
        StepGarbled: the other side ended without the closing line, or said more than ``limit_bytes``.
        Unreachable: stage ``session``: the command was refused, or the connection was lost on the way.
    """
    opener = Opener(envelope.token)
    try:
        with translated("session"):
            channel.exec_command(envelope.bounded if connection.bounds_steps else envelope.command)
            opened = _converse(channel, envelope.stdin, opener, deadline, limit_bytes)
    except Unreachable as error:
        if deadline.passed:
            raise StepTimedOut(deadline.seconds) from error
        raise
    if opened is not None:
        connection.bounds_steps = opened.is_bounded
        channel.close()
        return opened
    raise _no_output(connection, channel, opener, deadline)


def _converse(channel: Any, stdin: bytes, opener: Opener, deadline: Deadline, limit_bytes: int) -> Opened | None:
    unsent = memoryview(stdin)
    while not deadline.passed:
        unsent = _send_some(channel, unsent)
        channel.settimeout(WRITE_POLL_S if unsent else deadline.remaining_s)
        try:
            chunk = channel.recv(2 * PIECE_BYTES)
        except TimeoutError:
            continue
        opened = opener.take(chunk)
        if opened is not None or not chunk:
            return opened
        if len(opener) > limit_bytes:
            said = opener.said_instead(DETAIL_CHARACTERS)
            raise StepGarbled(-1, f"more than {limit_bytes} bytes of output, which began: {said}")
    return None


def _send_some(channel: Any, unsent: memoryview) -> memoryview:
    """Write what the other side has room for; the end of stdin after the last of it."""
    try:
        while unsent and channel.send_ready():
            unsent = unsent[channel.send(bytes(unsent[:PIECE_BYTES])) :]
            if not unsent:
                channel.shutdown_write()
    except OSError:
        return unsent[:0]  # it ended without reading on: what it said instead is still to be read
    return unsent


def _no_output(
    connection: Connection, channel: Any, opener: Opener, deadline: Deadline
) -> StepTimedOut | StepGarbled | Unreachable:
    if deadline.passed:
        return StepTimedOut(deadline.seconds)
    channel.status_event.wait(min(STATUS_WAIT_S, deadline.remaining_s))
    if not connection.alive and not channel.eof_received and channel.exit_status < 0:
        return Unreachable("session", "the connection was lost while the step ran")
    return StepGarbled(channel.exit_status, opener.said_instead(DETAIL_CHARACTERS))
