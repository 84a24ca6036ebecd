"""`make demo`'s command: it serves, a machine can be rented there, and Ctrl-C ends everything."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

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


@contextmanager
def running_demo(temporary: Path, port: str = "0") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A demo that is up, and its address; ended in the end, as Ctrl-C does, if it is not already."""
    command = [sys.executable, "-m", "bot", "demo", "--port", port]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(temporary), "TMPDIR": str(temporary)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)


def test_a_machine_is_rented_in_the_demo_and_ctrl_c_ends_everything(tmp_path: Path) -> None:
    with running_demo(tmp_path) as (process, address):
        assert process.stdout is not None
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


@pytest.mark.long
def test_a_demo_that_was_killed_is_ended_by_the_next_and_one_that_runs_is_left_alone(tmp_path: Path) -> None:
    with (
        running_demo(tmp_path) as (killed, address),
        running_demo(tmp_path, address.rpartition(":")[2]) as (_, elsewhere),
    ):
        assert elsewhere != address, "a port that somebody has is no fault"
        folders = {*tmp_path.glob("gpubot-demo-*")}
        with Workspace(address) as workspace:
            ana = workspace.person("ana")
            assert ana.command("#gpus", "/gpu rent cpu 1h name=left").acked
            workspace.wait_for(lambda: ana.find("#gpus", "*ready*"), 40)
        killed.kill()
        killed.wait()
        (left,) = (folder for folder in folders if list(folder.glob("data/local/instances/*")))
        bot = psutil.Process(int((left / "bot.lock").read_text(encoding="utf-8")))
        assert bot.is_running(), "it outlives what started it, and so does the machine:"
        assert processes_of(left)
        with running_demo(tmp_path):
            assert not left.exists()
            assert not bot.is_running()
            assert processes_of(left) == []
            (runs,) = folders - {left}
            other = psutil.Process(int((runs / "bot.lock").read_text(encoding="utf-8")))
            assert other.is_running(), "a demo that nobody killed goes on"
