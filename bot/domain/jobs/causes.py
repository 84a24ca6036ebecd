"""Why a run failed, where its ending or its last lines tell: codes for which there is advice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.domain.jobs.ending import Ending, EndingKind


class CauseKind(StrEnum):
    """The usual ones."""

    GPU_MEMORY = "gpu-memory"
    """``what``: how much it asked for; ``detail``: how much was free."""
    HOST_MEMORY = "host-memory"
    NO_SPACE = "no-space"
    NCCL_TIMEOUT = "nccl-timeout"
    """``what``: the collective that timed out."""
    OLD_DRIVER = "old-driver"
    """``what``: the driver's version, as found."""
    NO_MODULE = "no-module"
    NO_COMMAND = "no-command"
    NOT_EXECUTABLE = "not-executable"
    BAD_INTERPRETER = "bad-interpreter"
    """``what``: the interpreter that a script's first line names."""
    NO_PERMISSION = "no-permission"
    NO_FILE = "no-file"
    NO_GPU = "no-gpu"
    SHARED_MEMORY = "shared-memory"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause; ``what`` is the module, file or number, as printed."""

    kind: CauseKind
    what: str = ""
    detail: str = ""


_K = CauseKind
# Most particular first, since a line may bear several. Groups are ``what`` and ``detail``.
_SIGNS: Final = tuple(
    (kind, re.compile("|".join(patterns)))
    for kind, *patterns in (
        (
            _K.GPU_MEMORY,
            r"(?:CUDA|HIP) out of memory(?:\. Tried to allocate (?P<what>[0-9.]+ [KMGT]iB))?"
            r"(?:.{0,300}?(?P<detail>[0-9.]+ [KMGT]iB|[0-9]+ bytes) (?:is )?free)?",
            r"CUDA error: out of memory|CUDA_ERROR_OUT_OF_MEMORY|OutOfMemoryError(?!: (?:CUDA|HIP) out)",
            r"CU(?:BLAS|DNN)_STATUS_ALLOC_FAILED|ResourceExhaustedError|RESOURCE_EXHAUSTED: (?:Out of|Failed to alloc)",
        ),
        (_K.NO_SPACE, r"No space left on device|\[Errno (?:28|122)\]|Disk quota exceeded"),
        (
            _K.SHARED_MEMORY,
            r"Bus error|insufficient shared memory|out of shared memory|/dev/shm\b",
            r"unable to (?:open|mmap|write to) .{0,60}shared memory",
        ),
        (
            _K.NCCL_TIMEOUT,
            r"collective operation timeout(?:.{0,80}?OpType=(?P<what>[A-Z_]{1,40}))?",
            r"NCCL.{0,60}(?:timed out|timeout)|collective operation.{0,30}timed out",
        ),
        (
            _K.HOST_MEMORY,
            r"oom-kill|Out of memory: Killed process|^MemoryError|_ArrayMemoryError|Cannot allocate memory",
            r"std::bad_alloc|DefaultCPUAllocator: .{0,40}allocate memory|is killed by signal: Killed",
        ),
        (
            _K.OLD_DRIVER,
            r"driver on your system is too old(?: \(found version (?P<what>[0-9.]{1,20})\))?",
            r"CUDA driver version is insufficient|provided PTX was compiled with an unsupported toolchain",
        ),
        (
            _K.NO_MODULE,
            r"(?:ModuleNotFoundError|ImportError): No module named '?(?P<what>[\w.]{1,80})",
            r"^(?P<what2>torch) is not installed|\bpython[0-9.]*: No module named '?(?P<what3>[\w.]{1,80})",
        ),
        (_K.NO_GPU, r"Torch not compiled with CUDA|No CUDA GPUs are available|no NVIDIA driver|no CUDA-capable device"),
        (
            _K.BAD_INTERPRETER,
            r"(?P<what>[^:\s]{1,400}): bad interpreter",
            r"env: .?(?P<what2>python[0-9.]*|bash|sh|node)(?:\\r)?.?: No such file or directory",
        ),
        (_K.NO_PERMISSION, r"\[Errno 13\] Permission denied(?:: '(?P<what>[^']{1,400})')?"),
        (_K.NO_PERMISSION, r"(?:(?P<what>[^\s:']{1,400}): )?Permission denied$"),
        (_K.NO_COMMAND, r"(?P<what>[\w./+-]{1,80}): (?:command )?not found$"),
        (_K.NO_FILE, r"can't open file '(?P<what>[^']{1,400})'"),
        (_K.NO_FILE, r"No such file or directory(?:: '(?P<what>[^']{1,400})')?"),
    )
)
_MOST_CHARS: Final = 2000


def cause_of(ending: Ending, lines: Sequence[str]) -> Cause | None:
    """The cause, if one is known; the last line that tells decides, and the exit code of a shell where none does."""
    if ending.kind not in (EndingKind.EXITED, EndingKind.SIGNALLED) or ending.is_success:
        return None
    by_code = {127: CauseKind.NO_COMMAND, 126: CauseKind.NOT_EXECUTABLE}.get(ending.exit_code or 0)
    found = cause_in(lines)
    if by_code and (found is None or found.kind not in (_K.BAD_INTERPRETER, _K.NO_PERMISSION, _K.NO_COMMAND)):
        return Cause(by_code)
    return found


def cause_in(lines: Sequence[str]) -> Cause | None:
    """The cause that the last of ``lines`` to tell of any names."""
    for line in reversed(lines):
        for kind, sign in _SIGNS:
            if found := sign.search(line[:_MOST_CHARS]):
                groups = {name: text for name, text in found.groupdict().items() if text}
                detail = groups.pop("detail", "")
                return Cause(kind, next(iter(groups.values()), ""), detail)
    return None


_TRACEBACK: Final = re.compile(r"Traceback \(most recent call last\)")
_EXCEPTION: Final = re.compile(
    r"^(?:\[?(?:rank|default)[ _:]?[0-9]+\]?[:\s]\s*)?"
    r"(?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Timeout)\b(?::|$)|terminate called|Segmentation fault"
    r"|Fatal Python error|.{0,40}\b(?:ERROR|FATAL|CRITICAL|error|fatal)\b\s*[:\]])"
)
_FRAME: Final = re.compile(r'File "[^"]+", line [0-9]+')
_LIBRARY: Final = re.compile(r"(?:site|dist)-packages|/lib/python[0-9]|<frozen")
_NATIVE_FAILURE: Final = re.compile(
    r"terminate called (?:after|recursively)|Segmentation fault|Fatal Python error|\*\*\* Aborted at|core dumped"
)


def has_traceback(lines: Sequence[str]) -> bool:
    """Whether Python or C++ says among ``lines`` that it gave up."""
    return any(_TRACEBACK.search(line) or _NATIVE_FAILURE.search(line) for line in lines)


def error_lines(lines: Sequence[str], most: int = 3) -> tuple[str, ...]:
    """What a failure's last lines say in the end, oldest first: where it happened, then the error itself.

    Not the whole traceback: its innermost frame outside of libraries, and the last line that names an error. Empty
    where none does.
    """
    for index in range(len(lines) - 1, -1, -1):
        if _EXCEPTION.match(lines[index].strip()[:_MOST_CHARS]):
            frames = [line for line in lines[:index] if _is_frame(line)]
            own = [line for line in frames if not _LIBRARY.search(line)]
            said = [line for line in lines[index : index + max(1, most - 1)] if not _is_frame(line)]
            return tuple(line.strip() for line in (own or frames)[-1:] + said)[:most]
    return ()


def _is_frame(line: str) -> bool:
    return _FRAME.search(line[:_MOST_CHARS]) is not None
