"""What people read of why a job failed."""

import pytest

from bot.domain.jobs.causes import cause_of
from bot.domain.jobs.ending import Ending, EndingKind
from handlers.words.endings import advice

FAR = "/mnt/storage/" + "a-folder-with-a-long-name/" * 6 + "train.py"


@pytest.mark.parametrize(
    "line",
    [
        f"python: can't open file '{FAR}': [Errno 2] No such file or directory",
        f"FileNotFoundError: [Errno 2] No such file or directory: '{FAR}'",
        f"PermissionError: [Errno 13] Permission denied: '{FAR}'",
        f"bash: {FAR}: Permission denied",
        f"bash: {FAR}: bad interpreter: No such file or directory",
    ],
)
def test_of_a_long_path_the_end_is_told(line: str) -> None:
    failed = Ending(EndingKind.EXITED, exit_code=1)
    said = advice(failed, cause_of(failed, [line]))
    assert "train.py`" in said
    assert "`…" in said
