"""Files over SFTP: the real file system, starting in the home (the server's working directory)."""

import asyncio
import contextlib
import os
import stat

import asyncssh


class Files(asyncssh.SFTPServer):
    """One SFTP session."""

    async def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> object:
        """As the library does, but a pipe that nobody writes to holds up this one request, not the machine."""
        try:
            is_pipe = stat.S_ISFIFO(os.stat(path).st_mode)  # noqa: PTH116 - the name is bytes
        except OSError:
            is_pipe = False
        if is_pipe:
            await asyncio.Event().wait()
        return super().open(path, pflags, attrs)

    def exit(self) -> None:
        """Say that it went well, as sshd does; `scp` takes silence for a failure."""
        with contextlib.suppress(OSError):
            self.channel.exit(0)
