"""A machine's server process: boots, listens, adopts and buries its orphans, and ends when it is told to.

Started as ``python -m bot.providers.local.server DIRECTORY``; only what it needs is imported, and the slow part
(asyncssh) while it boots.
"""

import asyncio
import ctypes
import fcntl
import os
import resource
import signal
import sys
from pathlib import Path

from bot.providers.local.files import write_json
from bot.providers.local.misbehave import Switches, Watched
from bot.providers.local.places import Place
from bot.providers.local.processes import SERVER_MODULE, Marks, end_all
from bot.providers.local.state import MachineState, load_state

_LOOK_S = 0.1
_PR_SET_CHILD_SUBREAPER = 36
_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE = 1
_BARE = "GPUBOT_BARE"


def main(directory: str) -> int:
    """Serve the machine in ``directory`` until the process is ended."""
    place = Place(Path(directory))
    state = load_state(place.state)
    if state is None or not _is_the_only_one(place):
        return 0
    watched = Watched(place.misbehave, state.id, state.token)
    _take_position(state, watched.now())
    os.chdir(place.home)
    os.umask(0o022)
    asyncio.run(Server(place, state, watched).run())
    return 0


def _is_the_only_one(place: Place) -> bool:
    """Take the lock that is let go when this process ends; False: another one serves this machine."""
    fd = os.open(place.server_lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take_position(state: MachineState, switches: Switches) -> None:
    """A session of its own, the mark that all children inherit, and the place of a parent for orphans."""
    if os.getsid(0) != os.getpid():
        os.setsid()
    resource.setrlimit(resource.RLIMIT_MSGQUEUE, state.mark)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if switches.data_disk == "read-only" and os.geteuid() == 0 and _BARE not in os.environ:
        # Root writes where it may not, unless it gives that up; the gift is lost at the next exec only.
        libc.prctl(_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, 0, 0, 0)
        os.environ[_BARE] = "1"
        os.execv(sys.executable, [sys.executable, "-P", "-m", SERVER_MODULE, *sys.argv[1:]])  # noqa: S606


class Server:
    """The life of one boot."""

    def __init__(self, place: Place, state: MachineState, watched: Watched) -> None:
        self._place, self._state, self._watched = place, state, watched
        self._exits: dict[int, asyncio.Future[int]] = {}

    async def run(self) -> None:
        """Boot, then keep the door as the switches say, for ever."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, self._bury)
        for number in (signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, lambda: None)
        boots_until = loop.time() + self._state.boot_s
        from bot.providers.local.front_door import FrontDoor  # noqa: PLC0415 - slow, and a booting machine has time

        door = FrontDoor(self._place, self._state, self._watched, self._exits)
        while loop.time() < boots_until or self._watched.now().never_boots:
            await asyncio.sleep(min(_LOOK_S, max(0.01, boots_until - loop.time())))
        port = await door.open("")
        write_json(self._place.ready, {"boot_id": self._state.boot_id, "port": port})
        ready_at = loop.time()
        while True:
            switches = self._watched.now()
            await door.open(switches.ssh)
            if switches.dies_after_s is not None and loop.time() >= ready_at + switches.dies_after_s:
                self._die()
            await asyncio.sleep(_LOOK_S)

    def _bury(self) -> None:
        """Take the exit status of every child that has ended, adopted ones too."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            waiting = self._exits.pop(pid, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(status)

    def _die(self) -> None:
        """End as by a power cut."""
        end_all(Marks(self._state.id, self._state.mark, None))
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
