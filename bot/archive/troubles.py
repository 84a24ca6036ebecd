"""What rclone says went wrong, in our words."""

from typing import Final

from bot.ports.archive import Trouble, TroubleKind

_K = TroubleKind
_NOT_EXECUTED: Final = 2
_SIGNS: Final = (
    (_K.HOST_KEY_CHANGED, ("knownhosts:", "host key mismatch")),
    (_K.LOGIN_REFUSED, ("unable to authenticate", "no supported methods remain")),
    (_K.NO_ARCHIVE, ("didn't find section in config file", "didn't find backend called")),
    (
        _K.DESTINATION_FULL,
        (
            "no space left",
            "disk space",
            "quota",
            "insufficient storage",
            "storage limit",
            "disk full",
            "storage full",
            "file too large",
        ),
    ),
    (
        _K.CONNECTION_CUT,
        ("couldn't connect ssh", "sftp", "ssh:", "failed to open source object", "connection lost", "unexpected eof"),
    ),
    (
        _K.DESTINATION_AWAY,
        ("dial tcp", "i/o timeout", "connection re", "no such host", "tls", "broken pipe", "503", "network is unreach"),
    ),
    (
        _K.DESTINATION_REFUSED,
        (
            "denied",
            "forbidden",
            "no such file or directory",
            "unauthorized",
            "401",
            "403",
            "read-only",
            "not a directory",
            "mkdir",
            "invalid",
        ),
    ),
)
_OF_ONE_FILE: Final = (
    "permission denied (ssh_fx_permission_denied)",
    "ssh_fx_permission_denied",
    "--files-from failed to read file",
    "can't copy - source file is being updated",
    "corrupted on transfer",
    "object not found",
    "file does not exist",
)


def is_of_one_file(message: str) -> bool:
    """Whether an error is about the file alone: its own fate tells of it."""
    text = message.lower()
    # servers word it differently; the source is the machine, the destination's refusals read otherwise
    is_unreadable = "failed to open source object" in text and "permission denied" in text
    return is_unreadable or any(sign in text for sign in _OF_ONE_FILE)


def trouble(messages: tuple[str, ...], exit_status: int) -> Trouble | None:
    """The trouble behind rclone's errors (of which those of single files are not given); None: there is none."""
    for kind, signs in _SIGNS:
        for message in messages:
            if any(sign in message.lower() for sign in signs):
                return Trouble(kind, message[:500])
    if messages or exit_status >= _NOT_EXECUTED:
        return Trouble(_K.FAILED, messages[0][:500] if messages else f"rclone ended with {exit_status}")
    return None
