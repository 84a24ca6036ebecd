"""What a job's step found out: values only, to be digested against the job as it is stored by then."""

from dataclasses import dataclass

from bot.domain.jobs.status import Report


@dataclass(frozen=True, slots=True)
class Reported:
    """A start, a poll or a kill came back with a report."""

    report: Report


@dataclass(frozen=True, slots=True)
class MachineEnded:
    """Its lease's machine does not run any more. ``how``: stopped, released, vanished or failed."""

    how: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """It was to be killed before its machine was ever told."""


@dataclass(frozen=True, slots=True)
class AwaitedFailed:
    """The job that it was to come after, ``name``, did not end well."""

    name: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """The step did not come about, or its answer was lost. ``code`` is the error's. Nothing is known of the job."""

    code: str
    detail: str = ""


Finding = Reported | MachineEnded | Withdrawn | AwaitedFailed | Unseen
