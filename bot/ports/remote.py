"""The port to rented machines: one bounded step at a time, over SSH."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.domain.instance import SshAddress
from bot.domain.secret import Secret


class Step(StrEnum):
    """Scripts that ship with gpubot and run on machines; a file of that name each in ``bot/remote/scripts``."""

    HEALTH = "health.sh"
    USE = "use.sh"
    PUT_KEYS = "put_keys.sh"
    START_JOB = "start_job.py"
    POLL_JOB = "poll_job.py"
    KILL_JOB = "kill_job.py"
    INVENTORY = "inventory.py"
    HASH_FILES = "hash_files.py"


@dataclass(frozen=True, slots=True)
class Login:
    """How to get in: the address, with the host key that is expected, and the lease's private key."""

    address: SshAddress
    private_key: Secret


@dataclass(frozen=True, slots=True)
class StepOutput:
    """What a step printed between its markers, and how it ended."""

    text: str
    exit_status: int
    host_key: str
    """``type base64`` of the host key that was shown: to be recorded where none was known."""


class Remote(Protocol):
    """Runs steps on machines. Holds no connection between calls that the caller would have to care for."""

    def run(self, login: Login, step: Step, args: tuple[str, ...], stdin: bytes, deadline_s: float) -> StepOutput:
        """Run one shipped script with ``args``, all within one wall-clock deadline.

        Raises:
            Unreachable, HostKeyChanged, LoginRefused, StepTimedOut, StepGarbled: see `bot.errors`.
        """
        ...

    def forget(self, address: SshAddress) -> None:
        """Close what may still be open to an address (the machine stopped, moved or is gone)."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...
