"""Why a job failed, where its last lines tell."""

import pytest

from bot.domain.jobs.causes import Cause, CauseKind, cause_of
from bot.domain.jobs.ending import Ending, EndingKind

FAILED = Ending(EndingKind.EXITED, exit_code=1)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", Cause(CauseKind.GPU_MEMORY)),
        ("ModuleNotFoundError: No module named 'flash_attn'", Cause(CauseKind.NO_MODULE, "flash_attn")),
        ("torch is not installed on this machine: pip install torch", Cause(CauseKind.NO_MODULE, "torch")),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'", Cause(CauseKind.NO_FILE, "a.csv")),
        ("AssertionError: Torch not compiled with CUDA enabled", Cause(CauseKind.NO_GPU)),
        ("ValueError: shapes do not match", None),
    ],
)
def test_by_the_last_line_that_tells(line: str, cause: Cause | None) -> None:
    assert cause_of(FAILED, ("starting", line, "the end")) == cause


def test_by_the_exit_code() -> None:
    assert cause_of(Ending(EndingKind.EXITED, exit_code=127), ()) == Cause(CauseKind.NO_COMMAND)
    assert cause_of(Ending(EndingKind.EXITED, exit_code=126), ()) == Cause(CauseKind.NOT_EXECUTABLE)


def test_what_went_well_or_was_wanted_has_no_cause() -> None:
    lines = ("CUDA out of memory",)
    assert cause_of(Ending(EndingKind.EXITED, exit_code=0), lines) is None
    assert cause_of(Ending(EndingKind.KILLED, by="U1"), lines) is None
