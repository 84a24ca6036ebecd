"""Why a job failed, where its ending or its last lines tell: codes for which there is advice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.domain.jobs.ending import Ending, EndingKind


class CauseKind(StrEnum):
    """The usual ones."""

    GPU_MEMORY = "gpu-memory"
    NO_MODULE = "no-module"
    NO_COMMAND = "no-command"
    NOT_EXECUTABLE = "not-executable"
    NO_FILE = "no-file"
    NO_GPU = "no-gpu"
    SHARED_MEMORY = "shared-memory"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause; ``what`` is the module or file, as printed."""

    kind: CauseKind
    what: str = ""


_SIGNS: Final = (
    (CauseKind.GPU_MEMORY, re.compile(r"CUDA out of memory|OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED")),
    (CauseKind.SHARED_MEMORY, re.compile(r"Bus error|insufficient shared memory|unable to open shared memory")),
    (CauseKind.NO_MODULE, re.compile(r"ModuleNotFoundError: No module named '([^']{1,80})'|^(torch) is not installed")),
    (CauseKind.NO_GPU, re.compile(r"Torch not compiled with CUDA|No CUDA GPUs are available|no NVIDIA driver")),
    (CauseKind.NO_FILE, re.compile(r"No such file or directory(?:: '([^']{1,120})')?|can't open file '([^']{1,120})'")),
)
_MOST_CHARS: Final = 2000


def cause_of(ending: Ending, lines: Sequence[str]) -> Cause | None:
    """The cause, if one is known; the last line that tells decides."""
    if ending.kind not in (EndingKind.EXITED, EndingKind.SIGNALLED) or ending.is_success:
        return None
    if ending.exit_code == 127:
        return Cause(CauseKind.NO_COMMAND)
    if ending.exit_code == 126:
        return Cause(CauseKind.NOT_EXECUTABLE)
    for line in reversed(lines):
        for kind, sign in _SIGNS:
            if found := sign.search(line[:_MOST_CHARS]):
                return Cause(kind, next((group for group in found.groups() if group), ""))
    return None
