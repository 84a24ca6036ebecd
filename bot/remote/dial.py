"""From an address to a TCP connection, within the deadline."""

import os
import socket
from queue import Empty, SimpleQueue
from threading import Thread

from bot.errors import Unreachable
from bot.remote.deadline import Deadline

FIRST_BYTES = 256
CLOSED_EARLY = "the connection was closed before an SSH banner"


class Line(socket.socket):
    """A TCP connection that remembers the first bytes it received: they tell overload from a wrong port."""

    def __init__(self, family: int) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self.first_bytes = b""

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """As a socket's; an empty answer is the other side's close."""
        received = super().recv(bufsize, flags)
        if len(self.first_bytes) < FIRST_BYTES:
            self.first_bytes += received[: FIRST_BYTES - len(self.first_bytes)]
        return received

    def hang_up(self) -> None:
        """Wake and end everybody who reads or writes; safe from any thread, and repeatable.

        Closing instead would free the number of the descriptor while another thread still reads from it.
        """
        try:
            self.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def dial(host: str, port: int, deadline: Deadline) -> Line:
    """A connected line to the first address of ``host`` that answers.

    Raises:
        Unreachable: stage ``tcp``: no such name, refused, not routed, or no answer in time; stage ``banner``: it
            was accepted and reset at once.
    """
    addresses = _resolve(host, port, deadline)
    stage, failure = "tcp", "the name has no address"
    for position, (family, sockaddr) in enumerate(addresses):
        line = Line(family)
        try:
            line.settimeout(deadline.remaining_s / (len(addresses) - position) or 0.001)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.connect(sockaddr)
        except TimeoutError:
            line.close()
            stage, failure = "tcp", f"no answer from port {port} within {deadline.seconds:g} s"
        except ConnectionResetError:
            line.close()
            stage, failure = "banner", CLOSED_EARLY
        except (OSError, OverflowError) as error:
            line.close()
            stage, failure = "tcp", f"port {port}: {_reason(error)}"
        else:
            return line
    raise Unreachable(stage, failure)


def _resolve(host: str, port: int, deadline: Deadline) -> list[tuple[int, tuple[str, int]]]:
    try:
        return _look_up(host, port, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError, OverflowError):
        pass  # a name: its resolver knows no deadline, so that it gets a thread of its own for the while
    answers: SimpleQueue[list[tuple[int, tuple[str, int]]] | str] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(_look_up(host, port, 0))
        except (OSError, UnicodeError, OverflowError) as error:
            answers.put(_reason(error))

    Thread(target=ask, name="ssh-resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.remaining_s)
    except Empty:
        raise Unreachable("tcp", f"the name was not resolved within {deadline.seconds:g} s") from None
    if isinstance(answer, str):
        raise Unreachable("tcp", f"the name does not resolve: {answer}")
    return answer


def _look_up(host: str, port: int, flags: int) -> list[tuple[int, tuple[str, int]]]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [(family, sockaddr) for family, _, _, _, sockaddr in found]  # type: ignore[misc]


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno is not None and not isinstance(error, socket.gaierror):
        return os.strerror(error.errno)
    return (error.args[-1] if error.args and isinstance(error.args[-1], str) else "") or type(error).__name__
