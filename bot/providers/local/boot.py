"""Starting a machine's server, so that it outlives whoever started it, and finding it again."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import bot
from bot.errors import VendorTrouble
from bot.providers.local.disk import place_data_disk
from bot.providers.local.files import read_json, write_json, write_private
from bot.providers.local.misbehave import Switches
from bot.providers.local.places import Place
from bot.providers.local.processes import (
    BOOT_VARIABLE,
    MACHINE_VARIABLE,
    SERVER_MODULE,
    Marks,
    find_server,
    host_boot_id,
    is_alive,
    process,
)
from bot.providers.local.state import MachineState
from bot.providers.local.tools import install_tools

_PACKAGES = Path(bot.__file__).parent.parent
_DETACHED = '"$@" </dev/null >>"$GPUBOT_LOG" 2>&1 & echo $!'
_HIGHEST_LIMIT = 2**31 - 1


def new_mark(chance: str) -> tuple[int, int]:
    """A pair of limits for `RLIMIT_MSGQUEUE` that no other machine has. ``chance``: 16 hexadecimal digits.

    Only ever below the limit that holds now: raising it is for root alone, lowering is for everyone.
    """
    _, hard_now = resource.getrlimit(resource.RLIMIT_MSGQUEUE)
    top = _HIGHEST_LIMIT if hard_now == resource.RLIM_INFINITY else min(hard_now, _HIGHEST_LIMIT)
    number = int(chance, 16)
    hard = max(1, top - 1 - number % max(1, top // 2))
    return 1 + (number >> 32) % hard, hard


def marks_of(place: Place, state: MachineState) -> Marks:
    """By what the machine's processes are known now."""
    record = read_json(place.server) or {}
    is_ours = record.get("host_boot_id") == host_boot_id()
    server = (int(record["pid"]), int(record["start_ticks"])) if is_ours else None
    return Marks(state.id, state.mark, server)


def ensure_server(place: Place, state: MachineState, switches: Switches, python: Path | None) -> None:
    """Start the server of ``state.boot_id``, unless it has been started already. Under the machine's lock."""
    if served_boot(place) == state.boot_id:
        return
    if server := find_server(state.boot_id):  # whoever started it died before it could write that down
        _record(place, state, server.pid)
        return
    place.ready.unlink(missing_ok=True)
    write_private(place.boot_id, state.boot_id + "\n")
    place_data_disk(place, switches.data_disk)
    install_tools(place, state, python)
    _record(place, state, _spawn(place, state))


def served_boot(place: Place) -> str | None:
    """The boot that a server was started for, whether or not it still runs."""
    record = read_json(place.server)
    return None if record is None else str(record["boot_id"])


def serves(place: Place) -> bool:
    """Whether the server on record runs. After the host's own boot it does not, whatever the pid says."""
    record = read_json(place.server)
    return (
        record is not None
        and record["host_boot_id"] == host_boot_id()
        and is_alive(int(record["pid"]), int(record["start_ticks"]))
    )


def ready_port(place: Place, boot_id: str) -> int | None:
    """Where the server of that boot listens; None while it does not."""
    ready = read_json(place.ready)
    return int(ready["port"]) if ready is not None and ready["boot_id"] == boot_id else None


def _spawn(place: Place, state: MachineState) -> int:
    """Start the server as an orphan: nobody has to wait for it, and nothing ends with its starter."""
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": str(_PACKAGES),
        "LANG": "C.UTF-8",
        "GPUBOT_LOG": str(place.log),
        MACHINE_VARIABLE: state.id,
        BOOT_VARIABLE: state.boot_id,
    }
    server = [sys.executable, "-P", "-m", SERVER_MODULE, str(place.dir)]
    started = subprocess.run(
        ["/bin/sh", "-c", _DETACHED, "sh", *server],
        env=environment,
        cwd=place.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        start_new_session=True,
        umask=0o077,
    )
    if started.returncode != 0:
        raise VendorTrouble(f"the server of {state.id} cannot be started: {started.stderr!r}")
    return int(started.stdout)


def _record(place: Place, state: MachineState, pid: int) -> None:
    found = process(pid)
    record = {
        "boot_id": state.boot_id,
        "pid": pid,
        "start_ticks": found.start_ticks if found else -1,
        "host_boot_id": host_boot_id(),
    }
    write_json(place.server, record)
