"""``~/work`` of a machine over SFTP. Implements `bot.ports.machine_folder.MachineFolders`."""

import errno
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import paramiko  # type: ignore[import-untyped]
from paramiko.sftp import CMD_EXTENDED  # type: ignore[import-untyped]

from bot.domain.drops.drop import FOLDER, Entry, EntryKind
from bot.errors import FolderFull, FolderRefused, GpubotError, NoFileTransfer, RemoteError, Unreachable
from bot.ports.machine_folder import MachineFolder
from bot.ports.remote import Login
from bot.remote.ssh import SshRemote

MODE: Final = 0o644
_REQUEST_BYTES: Final = 32 * 1024
_REQUESTS_AHEAD: Final = 32
"""So many pieces are on their way before an answer is waited for: a far machine is not a slow one, and no more than
that is held in memory."""
_ALMOST_NOTHING_BYTES: Final = 64 * 1024
_NO_SPACE: Final = "no space"


class SftpFolders:
    """Opens the folder on connections of the remote, which are kept for the next step."""

    def __init__(self, remote: SshRemote) -> None:
        self._remote = remote

    @contextmanager
    def open(self, login: Login, deadline_s: float) -> Iterator[MachineFolder]:
        """See `MachineFolders.open`."""
        with self._remote.channel(login, deadline_s) as channel:
            yield _opened(channel)


class SftpFolder:
    """One SFTP session. Paths are below the login home, where such sessions begin."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def look(self, name: str) -> Entry | None:
        """What is there under a name."""
        try:
            with self._translated():
                found = self._client.lstat(_path(name))
        except _NotThere:
            return None
        return Entry(_kind(found.st_mode or 0), int(found.st_size or 0), int(found.st_mtime or 0))

    def write(self, name: str, pieces: Iterable[bytes], expected_bytes: int) -> Entry:
        """Write a new file."""
        free = self._free_bytes()
        if free is not None and free < expected_bytes:
            raise FolderFull(free)
        written = 0
        try:
            with self._translated():
                # exclusively: neither a file nor a link that somebody put there is written through
                file = self._client.open(_path(name), "wx")
            try:
                with self._translated():
                    file.chmod(MODE)
                for piece in pieces:
                    with self._translated():
                        _send(file, piece)
                    written += len(piece)
            finally:
                with suppress(GpubotError), self._translated():
                    file.close()
            done = self.look(name)
        except FolderRefused as error:
            raise self._full_or(error) from error
        if done is None or done.size_bytes != written:
            raise self._full_or(FolderRefused("not all that was sent was written"))
        return done

    def move(self, name: str, to: str) -> bool:
        """Give it another name; OpenSSH does this by a link and so takes nobody's name in between."""
        try:
            with self._translated():
                self._client.rename(_path(name), _path(to))
        except FolderRefused:
            if self.look(to) is not None and self.look(name) is not None:
                return False
            raise
        return True

    def remove(self, name: str) -> None:
        """Remove a file."""
        with suppress(_NotThere), self._translated():
            self._client.remove(_path(name))

    def make(self) -> None:
        """Make the folder, where it is not there."""
        try:
            with self._translated():
                found = self._client.stat(FOLDER)
        except _NotThere:
            with self._translated():
                self._client.mkdir(FOLDER)
            return
        if not stat.S_ISDIR(found.st_mode or 0):
            raise FolderRefused(f"~/{FOLDER} is no folder")

    def _full_or(self, error: FolderRefused) -> RemoteError:
        """Most servers call everything a failure: whether the disk is full has to be asked."""
        free = self._free_bytes()
        if _NO_SPACE in error.detail.lower() or (free is not None and free < _ALMOST_NOTHING_BYTES):
            return FolderFull(free)
        return error

    def _free_bytes(self) -> int | None:
        """By an extension that OpenSSH and asyncssh have; None: the server does not tell."""
        try:
            with self._translated():
                _kind_of_answer, answer = self._client._request(CMD_EXTENDED, "statvfs@openssh.com", FOLDER)
                _block, unit, _blocks, _free, available = (answer.get_int64() for _ in range(5))
        except (RemoteError, ValueError):
            return None
        return int(unit) * int(available)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """The server's refusals are one thing, a connection that is gone another; paramiko has OSError for both."""
        try:
            yield
        except GpubotError:
            raise
        except OSError as error:
            if self._client.get_channel().closed:
                raise Unreachable("session", "the connection was lost while a file was put") from error
            if error.errno == errno.ENOENT:
                raise _NotThere("not there") from error
            raise FolderRefused(str(error.strerror or error)) from error
        except Exception as error:
            raise Unreachable("session", str(error) or type(error).__name__) from error


class _NotThere(FolderRefused):
    """Nothing has that name."""


def _opened(channel: Any) -> SftpFolder:
    # Whatever a login prints as an error must not stand between the packets.
    channel.set_combine_stderr(False)
    try:
        channel.invoke_subsystem("sftp")
        client = paramiko.SFTPClient(channel)
    except Exception as error:
        if not channel.get_transport().is_active():
            raise Unreachable("session", str(error) or type(error).__name__) from error
        raise NoFileTransfer(str(error) or type(error).__name__) from error
    folder = SftpFolder(client)
    folder.make()
    return folder


def _send(file: Any, piece: bytes) -> None:
    """An answer is waited for now and then, with those before it: each of them may be a refusal."""
    for begin in range(0, len(piece), _REQUEST_BYTES):
        number = file.tell() // _REQUEST_BYTES
        file.set_pipelined(number % _REQUESTS_AHEAD != _REQUESTS_AHEAD - 1)
        file.write(piece[begin : begin + _REQUEST_BYTES])


def _path(name: str) -> bytes:
    return f"{FOLDER}/{name}".encode()


def _kind(mode: int) -> EntryKind:
    if stat.S_ISLNK(mode):
        return EntryKind.LINK
    if stat.S_ISDIR(mode):
        return EntryKind.FOLDER
    return EntryKind.FILE if stat.S_ISREG(mode) else EntryKind.OTHER
