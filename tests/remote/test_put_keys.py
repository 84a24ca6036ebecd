"""The script that keeps gpubot's block of public keys, over a real login."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.ports.remote import Step, StepOutput
from bot.remote.ssh import SshRemote
from tests.remote.servers import Key, Sshd

LEASE, MINE, OTHER = (Key.fresh().line for _ in range(3))


def block(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("# gpubot begin", *lines, "# gpubot end"))


@pytest.fixture
def machine(start_sshd: Callable[..., Sshd]) -> Sshd:
    return start_sshd(kinds=("ed25519",))


@pytest.fixture
def keys_file(machine: Sshd) -> Path:
    return machine.home / ".ssh" / "authorized_keys"


@pytest.fixture
def put(remote: SshRemote, machine: Sshd) -> Callable[..., StepOutput]:
    def put(*lines: str) -> StepOutput:
        stdin = "".join(f"{line}\n" for line in lines).encode()
        return remote.run(machine.login(), Step.PUT_KEYS, (), stdin, 20)

    return put


def test_a_new_file_is_made_private(put: Callable[..., StepOutput], keys_file: Path) -> None:
    output = put(LEASE, f"{MINE} me@laptop")
    assert (output.text, output.exit_status) == ("keys=2\nchanged=yes\n", 0)
    assert keys_file.read_text() == block(LEASE, f"{MINE} me@laptop")
    assert keys_file.stat().st_mode & 0o777 == 0o600
    assert keys_file.parent.stat().st_mode & 0o777 == 0o700


def test_the_same_again_changes_nothing(put: Callable[..., StepOutput], keys_file: Path) -> None:
    put(LEASE, MINE)
    inode = keys_file.stat().st_ino
    keys_file.chmod(0o644)
    assert put(LEASE, MINE).text == "keys=2\nchanged=no\n"
    assert keys_file.stat().st_ino == inode
    assert keys_file.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in keys_file.parent.iterdir()] == ["authorized_keys"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb", "a\nb\n{new}"),
        ("\n# note\n\ta  \n", "\n# note\n\ta  \n{new}"),
        ("a\n{old}b", "a\n{new}b\n"),
        ("{old}a\n{old}b\n", "{new}a\nb\n"),
        ("a\n# gpubot begin\nb\n", "a\nb\n{new}"),
        ("# gpubot begin\na\n{old}b\n", "a\n{new}b\n"),
        ("a\n# gpubot end\nb\n", "a\nb\n{new}"),
        ("a # gpubot begin\nb\xe4\\n%s$HOME`x`\n", "a # gpubot begin\nb\xe4\\n%s$HOME`x`\n{new}"),
    ],
)
def test_foreign_lines_stay(put: Callable[..., StepOutput], keys_file: Path, before: str, after: str) -> None:
    keys_file.parent.mkdir()
    keys_file.write_text(before.replace("{old}", block(OTHER, LEASE)), encoding="latin-1")
    assert put(LEASE, MINE).exit_status == 0
    assert keys_file.read_text(encoding="latin-1") == after.replace("{new}", block(LEASE, MINE))


@pytest.mark.parametrize(
    ("stdin", "code"), [(b"", "no-keys"), (b"\n\n", "no-keys"), (f"{LEASE}\n# gpubot end\n".encode(), "bad-line")]
)
def test_what_would_lock_us_out_is_not_done(
    remote: SshRemote, machine: Sshd, keys_file: Path, stdin: bytes, code: str
) -> None:
    keys_file.parent.mkdir()
    keys_file.write_text("mine\n")
    output = remote.run(machine.login(), Step.PUT_KEYS, (), stdin, 20)
    assert (output.text, output.exit_status) == (f"error={code}\n", 1)
    assert [file.read_text() for file in keys_file.parent.iterdir()] == ["mine\n"]


def test_less_than_was_sent_is_not_taken(remote: SshRemote, machine: Sshd, keys_file: Path) -> None:
    script = (Path("bot/remote/scripts") / Step.PUT_KEYS).read_text()
    cut = f"GPUBOT_STDIN_BYTES=5000\n{script}"
    output = remote.run_script(machine.login(), cut, (), f"{LEASE}\n".encode(), 20)
    assert output.text == "error=stdin-cut\n"
    assert not keys_file.exists()


def test_a_link_stays_a_link(put: Callable[..., StepOutput], machine: Sshd, keys_file: Path) -> None:
    keys_file.parent.mkdir()
    target = machine.home / "elsewhere"
    target.write_text("mine\n")
    keys_file.symlink_to(target)
    assert put(LEASE).exit_status == 0
    assert keys_file.is_symlink()
    assert target.read_text() == "mine\n" + block(LEASE)


def test_a_home_that_takes_nothing(put: Callable[..., StepOutput], machine: Sshd, keys_file: Path) -> None:
    keys_file.parent.write_text("a file where the directory should be")
    output = put(LEASE)
    assert output.exit_status == 1
    assert output.text.endswith("error=home\n")


def test_at_once_one_of_them_wins_whole(put: Callable[..., StepOutput], keys_file: Path) -> None:
    keys_file.parent.mkdir()
    keys_file.write_text("mine\n")
    sets = [(LEASE, *(f"{MINE} {n}" for n in range(count))) for count in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert {output.exit_status for output in pool.map(lambda lines: put(*lines), sets)} == {0}
    assert keys_file.read_text() in {"mine\n" + block(*lines) for lines in sets}
    assert [file.name for file in keys_file.parent.iterdir()] == ["authorized_keys"]
