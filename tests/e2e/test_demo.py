"""`make demo`'s command: it serves, a machine can be rented there, and Ctrl-C ends everything."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from bot.playground.client import Workspace


def processes_of(folder: Path) -> list[str]:
    """Command lines that name the folder, or run in it."""
    found = []
    for process in psutil.process_iter():
        try:
            told = [*process.cmdline(), process.cwd()]
        except psutil.Error:
            continue
        if any(str(folder) in part for part in told):
            found.append(" ".join(told))
    return found


def test_a_machine_is_rented_in_the_demo_and_ctrl_c_ends_everything(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "demo", "--port", "0"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        with Workspace(address) as workspace:
            ana = workspace.person("ana")
            assert workspace.sockets() >= 2
            assert ana.command("#gpus", "/gpu rent cpu 1h name=demo-one").acked
            workspace.wait_for(lambda: ana.find("#gpus", "*ready*"), 40)
        (folder,) = tmp_path.glob("gpubot-demo-*")
        assert processes_of(folder)
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.wait(40) == 0
    assert processes_of(folder) == []
    assert not folder.exists()
