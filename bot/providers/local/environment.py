"""The environment of everything that runs on a machine: made from nothing, none of the bot's own in it."""

import os

from bot.providers.local.places import LOGIN_USER, Place
from bot.providers.local.processes import BOOT_VARIABLE, MACHINE_VARIABLE
from bot.providers.local.state import MachineState
from bot.providers.local.system_path import SYSTEM_PATH

_REAL_GPUS = "/proc/driver/nvidia/gpus"


def login_environment(place: Place, state: MachineState, shell: str) -> dict[str, str]:
    """What a login starts with."""
    found = {
        "HOME": str(place.home),
        "USER": LOGIN_USER,
        "LOGNAME": LOGIN_USER,
        "SHELL": shell,
        "PATH": f"{place.tools}:{SYSTEM_PATH}",
        "LANG": "C.UTF-8",
        "TMPDIR": str(place.tmp),
        MACHINE_VARIABLE: state.id,
        BOOT_VARIABLE: state.boot_id,
    }
    if state.gpu_cards or os.path.isdir(_REAL_GPUS):  # noqa: PTH112 - pathlib would be loaded for this alone
        # The host's own cards are there for whoever rented them, and for nobody else.
        found["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, state.gpu_cards))
    return found
