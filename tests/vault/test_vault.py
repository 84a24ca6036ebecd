"""Secrets at rest, and the key that seals them."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.secret import Secret
from bot.errors import SettingsError, VaultLocked
from bot.vault import FernetVault, load_or_make_key

KEY = FernetVault.generate_key()


@given(st.text())
def test_what_was_sealed_comes_back(text: str) -> None:
    vault = FernetVault(KEY)
    sealed = vault.seal(Secret(text))
    assert vault.unseal(sealed) == Secret(text)
    assert len(text) < 4 or text not in sealed


def test_the_same_secret_is_never_sealed_the_same() -> None:
    vault = FernetVault(KEY)
    assert vault.seal(Secret("x")) != vault.seal(Secret("x"))


def test_another_key_does_not_open_it() -> None:
    sealed = FernetVault(KEY).seal(Secret("x"))
    with pytest.raises(VaultLocked):
        FernetVault(FernetVault.generate_key()).unseal(sealed)


@pytest.mark.parametrize("damaged", ["", "x", "ünï", "gAAAAA", "\ud800"])
def test_what_is_damaged_is_locked(damaged: str) -> None:
    with pytest.raises(VaultLocked):
        FernetVault(KEY).unseal(damaged)


def test_older_keys_still_open_and_the_newest_seals() -> None:
    old, new = FernetVault(KEY), FernetVault.generate_key()
    both = FernetVault(Secret(f" {new.reveal()} ,\n{KEY.reveal()},"))
    assert both.unseal(old.seal(Secret("x"))) == Secret("x")
    assert FernetVault(new).unseal(both.seal(Secret("y"))) == Secret("y")


@pytest.mark.parametrize("text", ["", " , ", "secret-word", KEY.reveal()[:-2], f"{KEY.reveal()},secret-word"])
def test_a_malformed_key_is_a_fault_and_is_not_shown(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        FernetVault(Secret(text))
    assert "secret-word" not in str(caught.value)
    assert KEY.reveal()[:10] not in str(caught.value)


def test_a_key_pair_is_what_openssh_takes(tmp_path: Path) -> None:
    pair = FernetVault(KEY).new_key_pair()
    file = tmp_path / "key"
    file.touch(0o600)
    file.write_text(pair.private_key.reveal())
    shown = subprocess.run(["ssh-keygen", "-y", "-f", str(file)], check=True, capture_output=True, text=True)
    assert shown.stdout.split()[:2] == pair.public_key.split(" ")
    assert pair.public_key.startswith("ssh-ed25519 AAAA")
    assert pair != FernetVault(KEY).new_key_pair()


def test_the_key_file_is_made_once_and_is_private(tmp_path: Path) -> None:
    file = tmp_path / "data" / "vault.key"
    key = load_or_make_key(file)
    assert load_or_make_key(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [one.name for one in file.parent.iterdir()] == ["vault.key"]
    assert FernetVault(key).unseal(FernetVault(key).seal(Secret("x"))) == Secret("x")


def test_an_open_umask_opens_nothing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        load_or_make_key(tmp_path / "vault.key")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "vault.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o602])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "vault.key"
    load_or_make_key(file)
    file.chmod(mode)
    with pytest.raises(SettingsError, match=f"chmod 600 {file}"):
        load_or_make_key(file)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe"])
def test_a_file_without_a_key_is_refused_and_left(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "vault.key"
    file.touch(0o600)
    file.write_bytes(content)
    with pytest.raises(SettingsError, match="vault key file"):
        load_or_make_key(file)
    assert file.read_bytes() == content


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="cannot be used"):
        load_or_make_key(tmp_path / "file" / "vault.key")


LOAD = """
import sys
from pathlib import Path
from bot.vault import load_or_make_key
print("ready", flush=True)
sys.stdin.readline()
print(load_or_make_key(Path(sys.argv[1])).reveal())
"""


def test_processes_that_start_at_once_get_one_key(tmp_path: Path) -> None:
    path = tmp_path / "data" / "vault.key"
    command = [sys.executable, "-c", LOAD, str(path)]
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    keys = [process.communicate(timeout=20)[0].strip() for process in processes]
    assert set(keys) == {path.read_text().strip()}
    assert [one.name for one in path.parent.iterdir()] == ["vault.key"]
