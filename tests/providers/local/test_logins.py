"""Logging in: who may, and what a session is like, compared with what sshd does."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import paramiko
import pytest

from bot.domain.instance import Instance, InstanceState
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import Behind, offer
from tests.providers.world import Key, eventually, fresh_key, in_state, login, run, spec


@pytest.fixture
def machine(local: LocalProvider, key: Key) -> Instance:
    return in_state(local, local.launch(spec(offer(local, "l4"), "lease-1", key)), InstanceState.RUNNING)


def test_who_may_come_in(machine: Instance, root: Path, key: Key, tmp_path: Path) -> None:
    other = fresh_key(tmp_path / "other")
    with pytest.raises(paramiko.AuthenticationException):
        login(machine, other)
    keys = Behind(root).place(machine.ref).home / ".ssh" / "authorized_keys"
    keys.write_text(f"# people\nssh-ed25519 broken\n\n{other.line} sam@laptop\n", encoding="utf-8")
    assert run(machine, other, "echo in")[1] == b"in\n"
    assert run(machine, key, "echo in")[1] == b"in\n"
    keys.unlink()
    with pytest.raises(paramiko.AuthenticationException):
        login(machine, other)


def test_only_its_own_user_and_host_key(machine: Instance, key: Key) -> None:
    from dataclasses import replace

    assert machine.address is not None
    for wrong in ({"user": "root"}, {"host_key": key.line}):
        with pytest.raises(paramiko.SSHException):
            login(replace(machine, address=replace(machine.address, **wrong)), key)


_BIG = 3_000_000
_COMMANDS: list[tuple[str | bytes, int, bytes]] = [
    ("exit 7", 7, b""),
    ("kill -TERM $$", -1, b""),
    ("cd /; cd; pwd; echo $USER; [ -t 0 ] || echo no terminal", 0, b"HOME\ndev\nno terminal\n"),
    (b"printf %s 'a\xff\xfeb' > $'n\xe9'; cat $'n\xe9'", 0, b"a\xff\xfeb"),
    (f"head -c {_BIG} /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero >&2", 0, b"x" * _BIG),
]


def test_commands(machine: Instance, root: Path, key: Key) -> None:
    home = str(Behind(root).place(machine.ref).home).encode()
    with login(machine, key) as client:
        for command, status, output in _COMMANDS:
            channel = client.exec_command(command, timeout=20)[1].channel  # type: ignore[arg-type]
            got = b""
            while chunk := channel.recv(1 << 16):
                got += chunk
                while channel.recv_stderr_ready():
                    channel.recv_stderr(1 << 20)
            while channel.recv_stderr(1 << 20):
                pass
            assert (channel.recv_exit_status(), got) == (status, output.replace(b"HOME", home))


def test_input_signal_and_disconnect(machine: Instance, root: Path, key: Key) -> None:
    with login(machine, key) as client:
        stdin, stdout, _ = client.exec_command("cat; echo end")
        stdin.write(b"some\n")
        stdin.channel.shutdown_write()
        assert stdout.read() == b"some\nend\n"
        client.exec_command("setsid sh -c 'sleep 0.3; echo survived > kept' </dev/null >/dev/null 2>&1 &")[1].read()
    kept = Behind(root).place(machine.ref).home / "kept"
    eventually(lambda: kept.exists() and kept.read_text(encoding="utf-8") == "survived\n")


def test_a_shell_on_a_terminal(machine: Instance, key: Key) -> None:
    with login(machine, key) as client:
        shell = client.invoke_shell(term="xterm", width=100, height=30)
        shell.settimeout(10)
        shell.resize_pty(width=120, height=40)
        shell.send(b"stty size; echo $TERM; command -v nvidia-smi; exit 3\n")
        seen = b""
        while chunk := shell.recv(4096):
            seen += chunk
        assert shell.recv_exit_status() == 3
    assert b"40 120" in seen
    assert b"system/bin/nvidia-smi" in seen
    with login(machine, key) as client:
        shell = client.invoke_shell()
        shell.settimeout(10)
        shell.send(b"sleep 1000\n")
        eventually(lambda: b"sleep 1000" in run(machine, key, "ps ax")[1])
    eventually(lambda: b"sleep 1000" not in run(machine, key, "ps ax -o args | grep -v grep")[1])


def test_nothing_of_the_bot_is_in_the_environment(
    local: LocalProvider, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-not-for-machines")
    ref = local.launch(spec(offer(local, "cpu"), "lease-1", key))
    seen = in_state(local, ref, InstanceState.RUNNING)
    status, text = run(seen, key, "env; cat /proc/$PPID/environ")
    assert status == 0
    assert b"xoxb" not in text
    assert b"PYTHONPATH" not in run(seen, key, "env")[1]
    assert run(seen, key, "command -v nvidia-smi")[0] != 0


def test_files_of_the_cloud_are_private(machine: Instance, root: Path) -> None:
    open_ones = [
        str(path)
        for path in [root, *(root / "instances").rglob("*"), *root.glob("*")]
        if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077 and path.name != ".profile"
    ]
    assert open_ones == []


def test_a_pipe_holds_up_one_request_not_the_machine(machine: Instance, root: Path, key: Key) -> None:
    os.mkfifo(Behind(root).place(machine.ref).home / "pipe")
    with login(machine, key) as client:
        files = client.open_sftp()
        assert files.normalize(".") == str(Behind(root).place(machine.ref).home)
        channel = files.get_channel()
        assert channel is not None
        channel.settimeout(0.5)
        with pytest.raises(TimeoutError):
            files.open("pipe")
        assert run(machine, key, "echo alive")[1] == b"alive\n"


def test_the_interpreter_that_was_asked_for(cloud: Callable[..., LocalProvider], key: Key) -> None:
    local = cloud(python=Path(sys.executable))
    seen = in_state(local, local.launch(spec(offer(local, "cpu"), "lease-1", key)), InstanceState.RUNNING)
    for command in (
        "python3 -c 'import sys; print(sys.prefix)'",
        "bash -lc 'python -c \"import sys; print(sys.prefix)\"'",
    ):
        assert run(seen, key, command) == (0, f"{sys.prefix}\n".encode())


@pytest.mark.skipif(shutil.which("ssh") is None, reason="no OpenSSH client")
def test_the_ordinary_ssh_client(machine: Instance, key: Key, tmp_path: Path) -> None:
    assert machine.address is not None
    known = tmp_path / "known_hosts"
    known.write_text(f"[{machine.address.host}]:{machine.address.port} {machine.address.host_key}\n", encoding="ascii")
    common = ["-i", str(key.path), "-o", f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=yes"]
    common += ["-o", "BatchMode=yes", "-F", "/dev/null", "-o", f"Port={machine.address.port}"]
    target = f"{machine.address.user}@{machine.address.host}"
    (tmp_path / "file").write_bytes(b"by scp")
    subprocess.run(["scp", "-q", *common, str(tmp_path / "file"), f"{target}:work/"], check=True, timeout=20)
    done = subprocess.run(
        ["ssh", *common, target, "cat work/file; exit 5"], capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (5, b"by scp")
