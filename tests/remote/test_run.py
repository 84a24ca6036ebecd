"""Steps that go well, and logins that do not."""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.domain.instance import SshAddress
from bot.domain.secret import Secret
from bot.errors import HostKeyChanged, LoginRefused, RemoteError, Unreachable
from bot.ports.remote import Login
from bot.remote.ssh import SshRemote
from tests.remote.servers import AsyncsshServer, Key, Sshd, free_port

ECHO_ARGS = 'for arg; do printf "<%s>" "$arg"; done; echo; cat'
ODD_ARGS = ("-n", "--", "", "two words", 'it\'s "quoted" `x` $HOME \\', "a\nb", "*", "~", "ümläut", "!x")


def test_output_status_and_host_key_come_back(remote: SshRemote, sshd: Sshd) -> None:
    login = sshd.login()
    output = remote.run_script(login, "echo out; echo err >&2; exit 3", (), b"", 20)
    assert (output.text, output.exit_status) == ("out\nerr\n", 3)
    assert output.host_key == sshd.host_keys["ed25519"]


def test_odd_arguments_and_stdin_arrive_as_they_are(remote: SshRemote, sshd: Sshd) -> None:
    output = remote.run_script(sshd.login(), ECHO_ARGS, ODD_ARGS, b"in\x01put", 20)
    assert output.text == "".join(f"<{arg}>" for arg in ODD_ARGS) + "\nin\x01put"


def test_asyncssh_serves_as_well(remote: SshRemote, asyncssh_server: AsyncsshServer) -> None:
    expected = " ".join(asyncssh_server.host_key.export_public_key().decode().split()[:2])
    output = remote.run_script(asyncssh_server.login(expected), ECHO_ARGS, ODD_ARGS, b"x" * 300_000, 20)
    assert output.text == "".join(f"<{arg}>" for arg in ODD_ARGS) + "\n" + "x" * 300_000
    assert output.host_key == expected


def test_a_script_that_reads_no_stdin_and_exits_is_fine(remote: SshRemote, sshd: Sshd) -> None:
    output = remote.run_script(sshd.login(), "exit 7", (), b"y" * 3_000_000, 20)
    assert (output.text, output.exit_status) == ("", 7)


def test_a_child_that_keeps_the_output_open_does_not_hold_the_step(remote: SshRemote, sshd: Sshd) -> None:
    script = "sleep 20 & echo $!"
    output = remote.run_script(sshd.login(), script, (), b"", 15)
    assert output.text.strip().isdigit()
    remote.run_script(sshd.login(), "kill $1", (output.text.strip(),), b"", 15)


def test_the_step_starts_in_the_home_and_in_the_c_locale(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd()
    (sshd.home / ".bashrc").write_text("cd /; LC_ALL=en_US.UTF-8\n")
    output = remote.run_script(sshd.login(), 'pwd -P; echo "$LC_ALL"', (), b"", 20)
    assert output.text == f"{sshd.home.resolve()}\nC\n"


@pytest.mark.parametrize("kind", ["ed25519", "rsa", "ecdsa"])
def test_the_key_on_record_is_asked_for(remote: SshRemote, start_sshd: Callable[..., Sshd], kind: str) -> None:
    sshd = start_sshd(kinds=("ed25519", "rsa", "ecdsa"))
    output = remote.run_script(sshd.login(sshd.host_keys[kind]), "echo yes", (), b"", 20)
    assert output.text == "yes\n"
    assert output.host_key == sshd.host_keys[kind]


def test_another_host_key_fails_closed(remote: SshRemote, sshd: Sshd) -> None:
    expected = Key.fresh().line
    with pytest.raises(HostKeyChanged) as caught:
        remote.run_script(sshd.login(expected), "touch came-in", (), b"", 20)
    assert caught.value.expected == expected
    assert caught.value.shown == sshd.host_keys["ed25519"]
    assert not (sshd.home / "came-in").exists()


def test_another_type_of_host_key_fails_closed(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    recorded, now = start_sshd(kinds=("rsa",)), start_sshd(kinds=("ed25519",))
    with pytest.raises(HostKeyChanged) as caught:
        remote.run_script(now.login(recorded.host_keys["rsa"]), "true", (), b"", 20)
    assert caught.value.shown == now.host_keys["ed25519"]


@pytest.mark.parametrize("record", ["", "garbage", "ssh-ed25519", "ssh-ed25519 AAAA"])
def test_a_record_that_is_no_key_fails_closed(remote: SshRemote, sshd: Sshd, record: str) -> None:
    with pytest.raises(HostKeyChanged):
        remote.run_script(sshd.login(record), "true", (), b"", 20)


def test_trust_is_by_port_even_with_a_kept_connection(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    first, second = start_sshd(), start_sshd()
    key = first.host_keys["ed25519"]
    assert remote.run_script(first.login(key), "echo 1", (), b"", 20).text == "1\n"
    with pytest.raises(HostKeyChanged):
        remote.run_script(second.login(key), "echo 2", (), b"", 20)
    with pytest.raises(HostKeyChanged):
        remote.run_script(first.login(second.host_keys["ed25519"]), "echo 3", (), b"", 20)


def test_another_key_is_refused_though_a_connection_is_kept(remote: SshRemote, sshd: Sshd) -> None:
    remote.run_script(sshd.login(), "true", (), b"", 20)
    with pytest.raises(LoginRefused) as caught:
        remote.run_script(sshd.login(key=Key.fresh()), "true", (), b"", 20)
    assert caught.value.user == sshd.login().address.user


def test_a_server_that_wants_no_keys_refuses_the_login(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd(options=("PubkeyAuthentication no", "KbdInteractiveAuthentication yes"))
    with pytest.raises((LoginRefused, Unreachable)):
        remote.run_script(sshd.login(), "true", (), b"", 20)


@pytest.mark.parametrize("text", ["", "nonsense", Key.fresh().line, Key.fresh().secret.reveal()[:200]])
def test_a_broken_private_key_is_named_and_not_shown(remote: SshRemote, sshd: Sshd, text: str) -> None:
    login = Login(sshd.login().address, Secret(text))
    with pytest.raises(RemoteError, match="private key cannot be read") as caught:
        remote.run_script(login, "true", (), b"", 20)
    assert not text or text not in repr(caught.value.args)


def test_an_encrypted_private_key_asks_nobody(remote: SshRemote, sshd: Sshd, tmp_path: Path) -> None:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "passphrase", "-f", str(tmp_path / "key")]
    subprocess.run(command, check=True)
    login = Login(sshd.login().address, Secret((tmp_path / "key").read_text()))
    with pytest.raises(RemoteError, match="private key cannot be read"):
        remote.run_script(login, "true", (), b"", 5)


def test_a_private_key_with_foreign_line_ends_is_read(remote: SshRemote, sshd: Sshd) -> None:
    odd = Secret("\r\n" + sshd.key.secret.reveal().strip().replace("\n", " \r\n"))
    assert remote.run_script(Login(sshd.login().address, odd), "echo in", (), b"", 20).text == "in\n"


def test_nothing_listens(remote: SshRemote, lease_key: Key) -> None:
    login = Login(SshAddress("127.0.0.1", free_port(), "me", None), lease_key.secret)
    with pytest.raises(Unreachable, match="Connection refused") as caught:
        remote.run_script(login, "true", (), b"", 20)
    assert caught.value.stage == "tcp"


@pytest.mark.parametrize("address", [("no.such.host.invalid", 22), ("", 22), ("127.0.0.1", 99999), ("a" * 300, 22)])
def test_an_address_that_is_none(remote: SshRemote, lease_key: Key, address: tuple[str, int]) -> None:
    login = Login(SshAddress(*address, "me", None), lease_key.secret)
    with pytest.raises(Unreachable) as caught:
        remote.run_script(login, "true", (), b"", 5)
    assert caught.value.stage == "tcp"


def test_a_nul_is_our_own_mistake(remote: SshRemote, sshd: Sshd) -> None:
    with pytest.raises(ValueError, match="NUL"):
        remote.run_script(sshd.login(), "true", ("a\0b",), b"", 5)


def test_thirty_two_at_once(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    servers = [start_sshd(kinds=("ed25519",)) for _ in range(4)]

    def ask(number: int) -> str:
        return remote.run_script(servers[number % 4].login(), 'echo "$1"', (str(number),), b"", 40).text

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(ask, range(64))) == [f"{number}\n" for number in range(64)]
