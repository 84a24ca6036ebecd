"""Connections that stay open between steps: repeated looks at a machine are cheap."""

from threading import Lock
from time import monotonic

from bot.domain.instance import SshAddress
from bot.errors import Unreachable
from bot.ports.remote import Login
from bot.remote.connection import Connection
from bot.remote.watchdog import Alarm, Watchdog


class Kept:
    """At most one idle connection per login, each for ``idle_s`` seconds, ``at_most`` in all. Thread-safe.

    A connection that is taken belongs to the taker alone, so that one step's deadline ends no other step.
    """

    def __init__(self, watchdog: Watchdog, idle_s: float, at_most: int) -> None:
        self._watchdog = watchdog
        self._idle_s = idle_s
        self._at_most = at_most
        self._lock = Lock()
        self._idle: dict[Login, tuple[Connection, Alarm]] = {}
        self._in_use: set[Connection] = set()
        self._ended = False

    def take(self, login: Login) -> Connection | None:
        """The idle connection for exactly this login (address, expected host key, private key), if one lives.

        Raises:
            Unreachable: after `end`.
        """
        with self._lock:
            if self._ended:
                raise Unreachable("tcp", "connections are closed: the process is ending")
            connection, alarm = self._idle.pop(login, (None, None))
            if connection is None or alarm is None:
                return None
            alarm.cancel()
            if connection.alive:
                self._in_use.add(connection)
                return connection
        connection.close()
        return None

    def lend(self, connection: Connection) -> None:
        """Note a new connection as being used, so that `forget` and `end` reach it."""
        with self._lock:
            self._in_use.add(connection)
            ended = self._ended
        if ended:
            connection.close()

    def give_back(self, login: Login, connection: Connection) -> None:
        """Keep it if there is room; close it if not."""
        with self._lock:
            wanted = connection in self._in_use and connection.alive
            self._in_use.discard(connection)
            if wanted and login not in self._idle and not self._ended:
                if len(self._idle) >= self._at_most:
                    self._drop(next(iter(self._idle)))
                alarm = self._watchdog.arm(monotonic() + self._idle_s, lambda: self._expire(login, connection))
                self._idle[login] = (connection, alarm)
                return
        connection.close()

    def discard(self, connection: Connection) -> None:
        """Close one that was taken and failed."""
        with self._lock:
            self._in_use.discard(connection)
        connection.close()

    def forget(self, address: SshAddress) -> None:
        """Close all to that host, port and user, under whatever host key, used or not."""
        place = _place(address)
        with self._lock:
            for login in [login for login in self._idle if _place(login.address) == place]:
                self._drop(login)
            for connection in [one for one in self._in_use if _place(one.address) == place]:
                self._in_use.discard(connection)
                connection.close()

    def end(self) -> None:
        """Close all; nothing is kept any more."""
        with self._lock:
            self._ended = True
            for login in list(self._idle):
                self._drop(login)
            for connection in self._in_use:
                connection.close()
            self._in_use.clear()

    def __len__(self) -> int:
        """How many are idle."""
        return len(self._idle)

    def _expire(self, login: Login, connection: Connection) -> None:
        with self._lock:
            if self._idle.get(login, (None,))[0] is connection:
                self._drop(login)

    def _drop(self, login: Login) -> None:
        connection, alarm = self._idle.pop(login)
        alarm.cancel()
        connection.close()


def _place(address: SshAddress) -> tuple[str, int, str]:
    return address.host, address.port, address.user
