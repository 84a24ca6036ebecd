"""Logins that print, and logins that lead elsewhere."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import StepGarbled
from bot.remote.envelope import Opened, Opener, seal
from bot.remote.ssh import SshRemote
from tests.remote.servers import Sshd


def test_what_a_login_prints_does_not_matter(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    (sshd.home / ".bashrc").write_text("echo Welcome; echo gpubot-begin-; printf 'no line end' >&2; cd /tmp\n")
    output = remote.run_script(sshd.login(), "printf 'all of it'", (), b"", 20)
    assert (output.text, output.exit_status) == ("all of it", 0)


@pytest.mark.parametrize(
    ("forced", "status", "said"),
    [
        ("echo This account is closed.", 0, "This account is closed."),
        ("echo Please log in as ubuntu; exit 1", 1, "Please log in as ubuntu"),
        ("exit 0", 0, ""),
        ("cat", 0, "gpubot-begin-"),
        ("printf '%s' \\\"$SSH_ORIGINAL_COMMAND\\\"", 0, "exec sh -c"),
    ],
)
def test_a_forced_command_answers(
    remote: SshRemote, start_sshd: Callable[..., Sshd], forced: str, status: int, said: str
) -> None:
    sshd = start_sshd(key_options=f'command="{forced}" ')
    with pytest.raises(StepGarbled) as caught:
        remote.run_script(sshd.login(), "echo hello", (), b"input\n", 20)
    assert caught.value.exit_status == status
    assert said in caught.value.detail
    assert len(caught.value.detail) <= 500


def test_a_shell_that_leaves_early(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    (sshd.home / ".bashrc").write_text("echo 'No space left on device' >&2; exit 9\n")
    with pytest.raises(StepGarbled) as caught:
        remote.run_script(sshd.login(), "echo hello", (), b"", 20)
    assert (caught.value.exit_status, caught.value.detail) == (9, "No space left on device")


@given(
    before=st.binary(max_size=60),
    body=st.text(max_size=60),
    status=st.integers(0, 255),
    size=st.integers(1, 30),
)
def test_output_is_found_however_it_is_cut(before: bytes, body: str, status: int, size: int) -> None:
    token = "0123456789abcdef"
    said = before + f"\ngpubot-begin-{token}\n{body}\ngpubot-end-{token} {status}\n".encode()
    opener = Opener(token)
    opened = [opener.take(said[at : at + size]) for at in range(0, len(said), size)]
    assert opened[-1] == Opened(body, status)
    assert not any(opened[:-1])


def test_the_script_itself_read_back_is_not_its_output() -> None:
    envelope = seal("echo hello", ("a",), b"", "feed", 5)
    opener = Opener("feed")
    assert opener.take(b"\n" + envelope.stdin + b"\n" + envelope.command.encode() + b"\n") is None


def ran(command: str, envelope_stdin: bytes, path: str = os.environ["PATH"]) -> Opened:
    """What a login shell makes of a sealed command."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        input=envelope_stdin,
        capture_output=True,
        env={"PATH": path},
        check=True,
        timeout=20,
    )
    opened = Opener("feed").take(done.stdout)
    assert opened is not None, done
    return opened


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_every_byte_arrives_whichever_shell_reads(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    every = bytes(range(1, 256))
    script = "printf '%s' \"$1\" | od -An -v -tx1; printf '%s' '  \\t\n\n x\\' | od -An -tx1; od -An -tx1"
    envelope = seal(script, (os.fsdecode(every),), b"\0in\n", "feed", 5)
    for command in (envelope.command, envelope.bounded):
        opened = ran(command.replace("sh -c", f"{shell} -c"), envelope.stdin)
        assert bytes.fromhex(opened.text) == every + b"  \\t\n\n x\\" + b"\0in\n"
        assert opened.is_bounded


def test_a_machine_that_cannot_end_a_step_says_so(tmp_path: Path) -> None:
    (tmp_path / "sh").symlink_to("/bin/sh")
    envelope = seal('echo "$1" $#', ("a",), b"", "feed", 5)
    assert ran(envelope.command, envelope.stdin, str(tmp_path)) == Opened("a 1\n", 0, is_bounded=False)
