"""One logged-in SSH connection, and every way in which it does not come about, in our errors."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from threading import Event
from typing import Any

import paramiko  # type: ignore[import-untyped]

from bot.domain.instance import SshAddress
from bot.domain.secret import Secret
from bot.errors import GpubotError, HostKeyChanged, LoginRefused, RemoteError, Unreachable
from bot.ports.remote import Login
from bot.remote.deadline import Deadline
from bot.remote.dial import CLOSED_EARLY, Line, dial
from bot.remote.watchdog import Watchdog

# What matters of it is in our errors; its own words are tracebacks on stderr.
logging.getLogger("paramiko").setLevel(logging.CRITICAL + 1)

RSA_ALGORITHMS = ("rsa-sha2-512", "rsa-sha2-256")


class Connection:
    """An authenticated connection; used by one step at a time. ``host_key`` is ``type base64`` as shown."""

    def __init__(self, address: SshAddress, line: Line) -> None:
        self.address = address
        self.host_key = ""
        self.bounds_steps = False
        """Whether the machine has shown that it ends a step whose time is up."""
        self._line = line
        self._channel: Any = None
        self._transport = paramiko.Transport(line)
        # Its timer is a thread that is no daemon and outlives a failed handshake; the watchdog bounds us anyway.
        self._transport.packetizer.start_handshake = lambda _timeout_s: None

    @property
    def alive(self) -> bool:
        """Whether nothing is known to be wrong with it; a machine that went silent is not noticed."""
        return bool(self._transport.is_active() and self._transport.is_authenticated())

    def open_channel(self, deadline: Deadline, within_s: float) -> Any:
        """A session channel; stderr comes with stdout, so that neither can fill up while the other is read.

        Raises:
            Unreachable: stage ``session``. No command was started.
        """
        with translated("session"):
            channel = self._transport.open_session(timeout=min(within_s, deadline.remaining_s))
            channel.set_combine_stderr(True)
            self._channel = channel
            return channel

    def close(self) -> None:
        """End it, and free whoever is blocked on it. Does not block; safe from any thread; repeatable."""
        self._line.hang_up()
        if not self._transport.is_alive():
            self._line.close()  # otherwise its thread does, when it has found out
        channel = self._channel
        if channel is not None:
            channel.event.set()  # the wait for the answer to a command is paramiko's one wait without an end

    def shake_hands(self, deadline: Deadline) -> None:
        """Banner and key exchange, then the host key against the one that is expected, before any login."""
        if self.address.host_key is not None:
            self._prefer(self.address.host_key.split(" ")[0])
        transport, finished = self._transport, Event()
        transport.banner_timeout = deadline.seconds
        with translated("banner"):
            transport.start_client(event=finished)
            finished.wait(deadline.remaining_s)
        if not (finished.is_set() and transport.is_active()):
            raise self._no_handshake(deadline) from transport.get_exception()
        with translated("handshake"):
            shown = transport.get_remote_server_key()
            self.host_key = f"{shown.get_name()} {shown.get_base64()}"
        expected = self.address.host_key
        if expected is not None and expected.split()[:2] != self.host_key.split():
            raise HostKeyChanged(expected=expected, shown=self.host_key)

    def log_in(self, key: Any, deadline: Deadline) -> None:
        """Offer the one key."""
        self._transport.auth_timeout = deadline.remaining_s
        with translated("session"):
            try:
                still_wanted = self._transport.auth_publickey(self.address.user, key)
            except paramiko.AuthenticationException as error:
                if deadline.passed:
                    detail = f"no answer to the login within {deadline.seconds:g} s"
                    raise Unreachable("session", detail) from error
                if not self._transport.is_active():
                    raise Unreachable("session", "the connection ended during the login") from error
                raise LoginRefused(self.address.user) from error
            if still_wanted:
                raise LoginRefused(self.address.user)

    def _prefer(self, key_type: str) -> None:
        """Ask for the known type first: a server has several keys. Another one that is shown still fails."""
        options = self._transport.get_security_options()
        wanted = RSA_ALGORITHMS if key_type == "ssh-rsa" else (key_type,)
        known = [name for name in wanted if name in options.key_types]
        options.key_types = (*known, *(name for name in options.key_types if name not in known))

    def _no_handshake(self, deadline: Deadline) -> Unreachable:
        if self._transport.remote_version:
            reason = self._transport.saved_exception
            detail = str(reason) if reason is not None and str(reason) else "ended during the key exchange"
            if deadline.passed:
                detail = f"the key exchange did not end within {deadline.seconds:g} s"
            return Unreachable("handshake", detail)
        said = self._line.first_bytes
        if said:
            return Unreachable("banner", f"said {said.decode('utf-8', 'replace')!r} and no SSH banner")
        if deadline.passed:
            return Unreachable("banner", f"accepts the connection and says nothing for {deadline.seconds:g} s")
        return Unreachable("banner", CLOSED_EARLY)


def connect(login: Login, deadline: Deadline, watchdog: Watchdog) -> Connection:
    """A logged-in connection.

    Raises:
        Unreachable, HostKeyChanged, LoginRefused, RemoteError: see `bot.errors`; nothing is left open.
    """
    key = read_private_key(login.private_key)
    address = login.address
    line = dial(address.host, address.port, deadline)
    connection = Connection(address, line)
    try:
        with watchdog.guarding(deadline.at, connection.close):
            connection.shake_hands(deadline)
            connection.log_in(key, deadline)
    except BaseException:
        connection.close()
        raise
    return connection


def read_private_key(private_key: Secret) -> Any:
    """paramiko's object for the lease's key.

    Raises:
        RemoteError: it is not a private key, or is encrypted. Its text is never shown.
    """
    for kind in (paramiko.Ed25519Key, paramiko.RSAKey, paramiko.ECDSAKey):
        try:
            return kind.from_private_key(StringIO(private_key.reveal().strip() + "\n"))
        except (paramiko.SSHException, ValueError, TypeError, IndexError, AttributeError):
            continue
    raise RemoteError("the lease's private key cannot be read")


@contextmanager
def translated(stage: str) -> Iterator[None]:
    """paramiko hands over whatever its thread died of, of any family: all of it is ours here."""
    try:
        yield
    except GpubotError:
        raise
    except Exception as error:
        detail = "the connection was closed" if isinstance(error, EOFError) else str(error)
        raise Unreachable(stage, detail or type(error).__name__) from error
