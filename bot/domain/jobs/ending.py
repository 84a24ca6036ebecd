"""How a job ended: what is known, what is probable, and what is called unknown."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.domain.jobs.status import ExitRecord


class EndingKind(StrEnum):
    """The first that applies."""

    EXITED = "exited"
    """By itself, with ``exit_code``."""
    SIGNALLED = "signalled"
    """By ``signal``, sent by somebody or something else than gpubot."""
    OUT_OF_MEMORY = "out-of-memory"
    """Probably: it was killed while the kernel killed for want of memory."""
    DISK_FULL = "disk-full"
    """Probably: it failed, and a disk that it wrote to has no room."""
    KILLED = "killed"
    """A person wanted it: ``by``."""
    MAX_REACHED = "max-reached"
    """Its own limit."""
    REBOOTED = "rebooted"
    """The machine started anew while it ran."""
    WITH_THE_MACHINE = "with-the-machine"
    """The machine was stopped or released, or is gone; ``code`` says which."""
    LOST = "lost"
    """It is gone, and so is whoever would have written how: unknown."""
    NEVER_STARTED = "never-started"
    """Nothing of the command has run; ``code`` says why."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One ending. ``exit_code`` and ``signal`` are there where they are known, whatever the kind."""

    kind: EndingKind
    exit_code: int | None = None
    signal: int | None = None
    by: str = ""
    """A person's id."""
    code: str = ""
    detail: str = ""
    oom_kills: int = 0
    """How often the kernel killed for want of memory meanwhile, in the job's control group or on the machine."""
    left_running: int = 0
    """Processes that the command left behind."""
    core_dumped: bool = False

    @property
    def is_success(self) -> bool:
        """Whether it did what it was started for, as far as an exit code tells."""
        return self.kind is EndingKind.EXITED and self.exit_code == 0

    @property
    def is_probable(self) -> bool:
        """Whether the kind is a conclusion and no observation."""
        return self.kind in (EndingKind.OUT_OF_MEMORY, EndingKind.DISK_FULL)


BY_LIMIT: Final = "max"
"""Who asks for a kill where a job outlives its limit and its keeper is gone."""

FULL_BELOW_BYTES: Final = 1024 * 1024
_KILL: Final = 9
_LAST_SIGNAL: Final = 64


def ending_of(record: ExitRecord, killed_by: str) -> Ending:
    """What an exit record says. ``killed_by``: who asked for a kill, where somebody did."""
    if record.not_started:
        if record.not_started == "killed":
            return killed(killed_by, record.not_started)
        return Ending(EndingKind.NEVER_STARTED, code=record.not_started, detail=record.detail)
    signal = record.signal
    if signal is None and record.code is not None and 128 < record.code <= 128 + _LAST_SIGNAL:
        signal = record.code - 128  # how a shell reports the signal of the program that it ran
    facts = Ending(
        _kind(record, signal),
        exit_code=record.code,
        signal=signal,
        oom_kills=record.oom_kills,
        left_running=record.left_running,
        core_dumped=record.core,
    )
    if facts.kind is EndingKind.KILLED:
        return replace(killed(killed_by), exit_code=record.code, signal=signal, left_running=record.left_running)
    return facts


def killed(by: str, code: str = "") -> Ending:
    """Ended on somebody's wish."""
    if by == BY_LIMIT:
        return Ending(EndingKind.MAX_REACHED, code=code)
    return Ending(EndingKind.KILLED, by=by, code=code)


def _kind(record: ExitRecord, signal: int | None) -> EndingKind:
    if record.cause == "kill":
        return EndingKind.KILLED
    if record.cause == "max":
        return EndingKind.MAX_REACHED
    if record.code is None and signal is None:
        return EndingKind.LOST
    if signal == _KILL and record.oom_kills:
        return EndingKind.OUT_OF_MEMORY
    if record.code != 0 and record.free_bytes is not None and record.free_bytes < FULL_BELOW_BYTES:
        return EndingKind.DISK_FULL
    return EndingKind.EXITED if signal is None else EndingKind.SIGNALLED
