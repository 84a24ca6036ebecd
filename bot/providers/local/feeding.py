"""What a client sends to a session, handed on to its process byte for byte, and to its very end.

asyncio's own writer to a pipe drops what is written in the moment when it resumes, if the end of input comes in the
same moment (CPython, ``_UnixWritePipeTransport._write_ready``), and the SSH library's redirection does just that.
"""

import asyncio
import os
import signal

import asyncssh

_PIECE_BYTES = 64 * 1024


async def feed(session: "asyncssh.SSHServerProcess[bytes]", pipe_fd: int, process_group: int) -> None:
    """Copy the session's input to the pipe and close it at the end. A process that reads no more loses the rest.

    Signals that the client sends meanwhile go to the process group.
    """
    os.set_blocking(pipe_fd, False)
    is_read = True
    try:
        while True:
            try:
                piece = await session.stdin.read(_PIECE_BYTES)
            except asyncssh.BreakReceived:
                _signal(process_group, signal.SIGINT)
                continue
            except asyncssh.SignalReceived as sent:
                _signal(process_group, getattr(signal, f"SIG{sent.signal}", None))
                continue
            except asyncssh.TerminalSizeChanged:
                continue
            if not piece:
                return
            is_read = is_read and await _write(pipe_fd, piece)
    finally:
        os.close(pipe_fd)


async def _write(pipe_fd: int, piece: bytes) -> bool:
    """Write all of it, waiting while the pipe is full; False where nobody reads any more."""
    left = memoryview(piece)
    while left:
        try:
            left = left[os.write(pipe_fd, left) :]
        except BlockingIOError:
            await _writable(pipe_fd)
        except OSError:
            return False
    return True


async def _writable(pipe_fd: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_writer(pipe_fd, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_writer(pipe_fd)


def _signal(process_group: int, number: signal.Signals | None) -> None:
    if number is not None:
        try:
            os.killpg(process_group, number)
        except ProcessLookupError:
            return
