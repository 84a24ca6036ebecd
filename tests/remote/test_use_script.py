"""How a machine is used, over a real login: processes of the home, terminals, jobs, disk."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.domain.health import Expected
from bot.domain.use import Use
from bot.remote.examine import ScriptExaminer
from bot.remote.ssh import SshRemote
from tests.remote.servers import Sshd

HERE = Expected("cpu", 0, 0, True, True, "", "", None)
REAL = Expected("l4", 1, 24, False, False, "", "", None)


@pytest.fixture
def machine(start_sshd: Callable[..., Sshd]) -> Sshd:
    return start_sshd(kinds=("ed25519",))


def look(remote: SshRemote, machine: Sshd, expected: Expected = HERE) -> Use:
    return ScriptExaminer(remote, "").use(machine.login(), expected)


def home_of(remote: SshRemote, machine: Sshd) -> str:
    """As the login has it."""
    return remote.run_script(machine.login(), 'printf %s "$HOME"', (), b"", 20).text


@contextmanager
def running(program: str, home: str, **how: object) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose home is the machine's."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], env={"HOME": home}, stdout=subprocess.PIPE, stdin=subprocess.PIPE, **how
    )  # type: ignore[call-overload]
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_nobody_does_anything(remote: SshRemote, machine: Sshd, tmp_path: Path) -> None:
    use = look(remote, machine)
    assert (use.gpu_percent, use.gpus_seen, use.jobs, use.typed_s_ago) == ((), True, 0, None)
    assert use.cpu_cores is not None
    assert use.disk_percent is not None


def test_work_counts_where_it_is_this_homes_alone(remote: SshRemote, machine: Sshd, tmp_path: Path) -> None:
    home = home_of(remote, machine)
    quiet = look(remote, machine).cpu_cores
    program = "print('there', flush=True)\nwhile True: pass"
    with running(program, str(tmp_path / "elsewhere")):
        assert (look(remote, machine).cpu_cores or 0) < 0.3 + (quiet or 0)
    with running(program, home):
        busy = [look(remote, machine).cpu_cores or 0 for _ in range(3)]
    assert max(busy) > 0.2 + (quiet or 0)


def test_a_terminal_and_when_somebody_typed(remote: SshRemote, machine: Sshd) -> None:
    home = home_of(remote, machine)
    ours, theirs = os.openpty()
    program = (
        "import fcntl, os, sys, termios\nos.setsid()\n"
        "fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0)\nprint('there', flush=True)\nsys.stdin.read()"
    )
    before = look(remote, machine).logins or 0
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(theirs)],
        env={"HOME": home},
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        pass_fds=(theirs,),
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        use = look(remote, machine)
    finally:
        process.kill()
        process.communicate()
        os.close(ours)
        os.close(theirs)
    assert use.logins == before + 1
    assert use.typed_s_ago is not None
    assert use.typed_s_ago < 120


def test_a_job_runs_while_its_keeper_lives_in_this_boot(remote: SshRemote, machine: Sshd) -> None:
    job = Path(home_of(remote, machine)) / ".gpubot" / "jobs" / "j1"
    job.mkdir(parents=True)
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    claim = {"pid": os.getpid(), "ticks": 1, "boot": f"{boot}.1"}
    (job / "claim").write_text(json.dumps(claim))
    assert look(remote, machine).jobs == 1
    (job / "claim").write_text(json.dumps({**claim, "boot": "another"}))
    assert look(remote, machine).jobs == 0
    (job / "claim").write_text(json.dumps(claim))
    (job / "exit").write_text("{}")
    assert look(remote, machine).jobs == 0


def test_a_whole_machine_without_its_driver_is_not_seen(remote: SshRemote, machine: Sshd) -> None:
    use = look(remote, machine, REAL)
    assert use.cpu_cores is not None
    assert use.gpu_percent == ()
