"""Fault points: the named places where a crash must lose nothing. Tests kill the process there."""

from enum import StrEnum
from typing import Protocol


class FaultPoint(StrEnum):
    """Each sits between two effects of which only the first has happened."""

    RENT_RECORDED = "rent.recorded"
    """The lease's row is written; the vendor does not know yet."""
    LAUNCH_CALLED = "launch.called"
    """The vendor made the machine; its reference is not stored yet."""
    LAUNCH_STORED = "launch.stored"
    CHECK_PASSED = "check.passed"
    """The checklist passed; the hand-over is not stored yet."""
    READY_STORED = "ready.stored"
    STOP_RECORDED = "stop.recorded"
    STOP_CALLED = "stop.called"
    STOP_STORED = "stop.stored"
    START_RECORDED = "start.recorded"
    START_CALLED = "start.called"
    START_STORED = "start.stored"
    RELEASE_ASKED = "release.asked"
    """The wish is stored; the machine was not looked at yet."""
    QUESTION_LOOKED = "question.looked"
    """The inventory is taken; neither it nor the question is stored."""
    QUESTION_STORED = "question.stored"
    """The question is stored; nobody has seen it yet."""
    RELEASE_ANSWERED = "release.answered"
    ANSWERS_READ = "answers.read"
    """Reactions were read, and an answer among them is taken; that they were read is not stored yet."""
    END_STORED = "end.stored"
    """What a lease's end brings up is stored; nobody has seen it yet."""
    RELEASE_FENCED = "release.fenced"
    """People cannot log in any more; the last inventory is not taken yet."""
    RELEASE_LOOKED = "release.looked"
    """The last inventory is taken and not stored yet."""
    SYNC_RECORDED = "sync.recorded"
    SYNC_COPIED = "sync.copied"
    """Files are in the archive and verified; that is not stored yet."""
    SYNC_STORED = "sync.stored"
    """Files are known to be safe; the sync has not ended yet."""
    FETCH_RECORDED = "fetch.recorded"
    FETCH_TOLD = "fetch.told"
    """The asker was told what the archive holds; that is not stored yet."""
    FETCH_SENT = "fetch.sent"
    """The asker has the file; that is not stored yet."""
    RELEASE_CALLED = "release.called"
    """The vendor took the release; that is not stored yet."""
    RELEASE_STORED = "release.stored"
    DISK_DELETED = "disk.deleted"
    """The vendor deleted a kept disk; that is not stored yet."""
    RELEASE_GONE = "release.gone"
    """The vendor no longer has it; ``released`` is not stored yet."""
    CHECK_LOOKED = "check.looked"
    """A machine was looked at because somebody asked; what was seen is not stored yet."""
    USE_LOOKED = "use.looked"
    """A machine's use was seen; that is not stored yet."""
    JOB_RECORDED = "job.recorded"
    """The job's row is written; its machine does not know yet."""
    JOB_STARTED = "job.started"
    """Its machine has it; that is not stored yet."""
    JOB_POLLED = "job.polled"
    """Output was read; neither it nor the points in it are stored yet."""
    JOB_STORED = "job.stored"
    JOB_KILL_RECORDED = "job.kill-recorded"
    JOB_KILLED = "job.killed"
    """Its machine was told to end it; that is not stored yet."""
    RUN_JUDGED = "run.judged"
    """A run is judged; what is to be said of it is not stored yet."""
    PICTURE_UPLOADED = "picture.uploaded"
    """A picture is uploaded; its id is not stored yet."""
    MESSAGE_POSTED = "message.posted"
    """A living message is out; where it is, is not stored yet."""
    NOTICE_POSTED = "notice.posted"
    HOME_PUBLISHED = "home.published"
    """Somebody's home is published; that is not stored yet."""


class Faults(Protocol):
    """Told at each fault point that it was reached."""

    def reach(self, point: FaultPoint) -> None:
        """Nothing in production; in tests the process may end here, as by SIGKILL."""
        ...


class NoFaults:
    """Production: nothing happens."""

    def reach(self, point: FaultPoint) -> None:
        """Nothing."""
