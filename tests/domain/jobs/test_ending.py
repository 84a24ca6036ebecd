"""What an exit record is taken for."""

import pytest

from bot.domain.jobs.ending import BY_LIMIT, EndingKind, ending_of
from bot.domain.jobs.status import ExitRecord

K = EndingKind


@pytest.mark.parametrize(
    ("record", "kind", "exit_code", "signal"),
    [
        (ExitRecord(code=0), K.EXITED, 0, None),
        (ExitRecord(code=3), K.EXITED, 3, None),
        (ExitRecord(code=255), K.EXITED, 255, None),
        (ExitRecord(code=128), K.EXITED, 128, None),
        (ExitRecord(signal=11, core=True), K.SIGNALLED, None, 11),
        (ExitRecord(code=139), K.SIGNALLED, 139, 11),
        (ExitRecord(signal=9), K.SIGNALLED, None, 9),
        (ExitRecord(signal=9, oom_kills=1), K.OUT_OF_MEMORY, None, 9),
        (ExitRecord(code=137, oom_kills=1), K.OUT_OF_MEMORY, 137, 9),
        (ExitRecord(code=1, oom_kills=1), K.EXITED, 1, None),
        (ExitRecord(signal=11, oom_kills=1), K.SIGNALLED, None, 11),
        (ExitRecord(code=1, free_bytes=0), K.DISK_FULL, 1, None),
        (ExitRecord(code=0, free_bytes=0), K.EXITED, 0, None),
        (ExitRecord(signal=9, oom_kills=1, cause="kill"), K.KILLED, None, 9),
        (ExitRecord(code=0, cause="max"), K.MAX_REACHED, 0, None),
        (ExitRecord(), K.LOST, None, None),
        (ExitRecord(not_started="no-git"), K.NEVER_STARTED, None, None),
        (ExitRecord(not_started="killed"), K.KILLED, None, None),
    ],
)
def test_kinds(record: ExitRecord, kind: EndingKind, exit_code: int | None, signal: int | None) -> None:
    ending = ending_of(record, "U2")
    assert (ending.kind, ending.exit_code, ending.signal) == (kind, exit_code, signal)
    assert ending.by == ("U2" if kind is K.KILLED else "")
    assert ending.is_success == (kind is K.EXITED and exit_code == 0)
    assert ending.is_probable == (kind in (K.OUT_OF_MEMORY, K.DISK_FULL))


def test_the_limit_may_be_seen_to_by_the_bot() -> None:
    ending = ending_of(ExitRecord(signal=15, cause="kill"), BY_LIMIT)
    assert (ending.kind, ending.by, ending.signal) == (K.MAX_REACHED, "", 15)
