"""Jobs: one command on one lease, its states and the moves between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from bot.domain.jobs.ending import Ending
from bot.domain.jobs.git import GitSource
from bot.domain.problem import Problem


class JobState(StrEnum):
    """Where a job is on its way; the moves are in `MOVES`."""

    REQUESTED = "requested"
    """Written down; its machine has not been told."""
    STARTING = "starting"
    """Its machine is being told, or prepares it (a clone, say)."""
    RUNNING = "running"
    FINISHING = "finishing"
    """The command is gone, and how it ended is being written (or cannot be: a full disk)."""
    UNKNOWN = "unknown"
    """Its machine does not answer; since ``state_since``. It goes on meanwhile, for all we know."""
    ENDED = "ended"


class Continuation(StrEnum):
    """What is wanted once the job has ended well."""

    RELEASE = "release"
    STOP = "stop"
    SYNC = "sync"


_S = JobState
MOVES: Final[Mapping[JobState, frozenset[JobState]]] = {
    _S.REQUESTED: frozenset({_S.STARTING, _S.ENDED}),
    _S.STARTING: frozenset({_S.RUNNING, _S.FINISHING, _S.UNKNOWN, _S.ENDED}),
    _S.RUNNING: frozenset({_S.FINISHING, _S.UNKNOWN, _S.ENDED}),
    _S.FINISHING: frozenset({_S.UNKNOWN, _S.ENDED}),
    _S.UNKNOWN: frozenset({_S.STARTING, _S.RUNNING, _S.FINISHING, _S.ENDED}),
    _S.ENDED: frozenset(),
}
"""Permitted moves; what has ended stays ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job; changed by `noted`, `evolve` and `moved` alone. ``number`` counts within its lease from 1.

    Times are the bot's; what the machine tells as "seconds ago" is turned into them.
    """

    id: str
    lease_id: str
    number: int
    owner: str
    command: str
    requested_at: datetime
    state: JobState
    state_since: datetime
    name: str | None = None
    directory: str | None = None
    """As asked for; `cwd` is where it runs."""
    env_names: tuple[str, ...] = ()
    sealed_env: str = ""
    """The variables' values, encrypted at rest, and only until its machine has taken them."""
    git: GitSource | None = None
    max_s: int | None = None
    kill_wanted_by: str | None = None
    kill_sent_at: datetime | None = None
    accepted_at: datetime | None = None
    """When its machine was first known to have it. Until then a start is simply repeated."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ran_s: float | None = None
    """By the machine's own steady clock; None where nobody measured."""
    seen_at: datetime | None = None
    cwd: str = ""
    commit: str = ""
    offset_bytes: int = 0
    """How much of its output has been taken."""
    size_bytes: int = 0
    """How much output there is, as last seen."""
    ending: Ending | None = None
    problem: Problem | None = None
    attempts: int = 0
    """Steps in a row that failed."""
    next_look_at: datetime | None = None
    version: int = 0
    """Grows with each change that its message shows."""
    script: str = ""
    """A script that ships with gpubot and goes to the machine with the start; ``$GPUBOT_JOB_SCRIPT`` is its path."""
    then: Continuation | None = None
    """What is wanted once it has ended well; its end turns it into a wish."""
    after_id: str | None = None
    """The job that has to have ended well before it begins; on whatever machine."""
    after_name: str | None = None
    """The same as people call it."""
    every_s: int | None = None
    """While it runs, what is on its machine is copied so often."""
    next_sync_at: datetime | None = None
    sealed_secrets: str | None = None
    """Secrets by name that are never to be seen in its command and output, encrypted at rest: what it prints later is
    redacted by them."""
    judge_at: datetime | None = None
    """When its curves are next judged; None: not any more, or not yet."""
    free_at_start_bytes: int | None = None
    """Room in its machine's home when it was first seen to run."""
    free_bytes: int | None = None
    """The same, as last seen."""
    find_files_at: datetime | None = None
    """When its directory is next looked through for trainers' files."""
    unread_files: int | None = None
    """Of how many such files there was more than has been taken; None: there are none."""

    @property
    def is_live(self) -> bool:
        """Whether it may still run."""
        return self.state is not _S.ENDED

    @property
    def has_unread_output(self) -> bool:
        """Whether there was more output than has been taken."""
        return self.offset_bytes < self.size_bytes

    @property
    def has_more_to_read(self) -> bool:
        """Whether its machine has output or files of it that were not taken."""
        return self.has_unread_output or bool(self.unread_files)

    def noted(self, **changes: Any) -> "Job":
        """A copy with ``changes`` that its message does not show."""
        return replace(self, **changes)

    def evolve(self, **changes: Any) -> "Job":
        """A copy with ``changes``, one version further; the same one where nothing differs."""
        if all(getattr(self, name) == value for name, value in changes.items()):
            return self
        return replace(self, version=self.version + 1, **changes)

    def moved(self, state: JobState, at: datetime, **changes: Any) -> "Job":
        """A copy in ``state``; the same state keeps its time.

        Raises:
            ValueError: the move is not in `MOVES`; a bug of ours.
        """
        if state is self.state:
            return self.evolve(**changes)
        if state not in MOVES[self.state]:
            raise ValueError(f"job {self.id}: no move from {self.state} to {state}")
        return self.evolve(state=state, state_since=at, **changes)


def latest_number(newest_first: Sequence[Job]) -> int | None:
    """The number of the latest job; None where there was none."""
    return newest_first[0].number if newest_first else None
