"""The tools a machine has before all others on its PATH, written anew at each boot."""

import shlex
import shutil
import sys
from pathlib import Path

import bot
from bot.providers.local.files import write_private
from bot.providers.local.places import Place
from bot.providers.local.state import MachineState
from bot.providers.local.system_path import SYSTEM_PATH

_SMI = "import sys; sys.path.insert(0, sys.argv.pop(1)); from bot.providers.local.smi.main import run; run()"


def install_tools(place: Place, state: MachineState, python: Path | None) -> None:
    """Put nvidia-smi there for a simulated GPU, and a Python where the system has none or another is asked for.

    A machine that rents the host's real GPU gets the host's real nvidia-smi, by the ordinary PATH.
    """
    if state.simulated and state.gpu_count:
        packages = str(Path(bot.__file__).parent.parent)
        # -S and -E: nothing of the user's is loaded, and it starts in a third of the time.
        _wrap(place.tools / "nvidia-smi", sys.executable, "-S", "-E", "-P", "-c", _SMI, packages, str(place.dir))
    interpreter = str(python) if python else sys.executable
    for name in ("python3", "python"):
        if python or not shutil.which(name, path=SYSTEM_PATH):
            _wrap(place.tools / name, interpreter)


def _wrap(path: Path, *command: str) -> None:
    # A script and not a link: an interpreter finds its packages by the name it is called by.
    write_private(path, f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', mode=0o700)
