"""Why a job failed, where its last lines tell."""

import pytest

from bot.domain.jobs.causes import Cause, CauseKind, cause_of, error_lines, has_traceback
from bot.domain.jobs.ending import Ending, EndingKind

FAILED = Ending(EndingKind.EXITED, exit_code=1)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
            Cause(CauseKind.GPU_MEMORY, "2.00 GiB"),
        ),
        ("ModuleNotFoundError: No module named 'flash_attn'", Cause(CauseKind.NO_MODULE, "flash_attn")),
        ("torch is not installed on this machine: pip install torch", Cause(CauseKind.NO_MODULE, "torch")),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'", Cause(CauseKind.NO_FILE, "a.csv")),
        ("AssertionError: Torch not compiled with CUDA enabled", Cause(CauseKind.NO_GPU)),
        (
            "OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total of 23.6 GiB of "
            "which 210.00 MiB is free. Process 7 has 20 GiB memory in use.",
            Cause(CauseKind.GPU_MEMORY, "1.50 GiB", "210.00 MiB"),
        ),
        ("RuntimeError: CUDA error: out of memory", Cause(CauseKind.GPU_MEMORY)),
        ("jaxlib.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying", Cause(CauseKind.GPU_MEMORY)),
        ("RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory", Cause(CauseKind.HOST_MEMORY)),
        ("RuntimeError: DataLoader worker (pid 71) is killed by signal: Killed.", Cause(CauseKind.HOST_MEMORY)),
        ("OSError: [Errno 28] No space left on device", Cause(CauseKind.NO_SPACE)),
        (
            "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, Timeout=9)",
            Cause(CauseKind.NCCL_TIMEOUT, "ALLREDUCE"),
        ),
        (
            "RuntimeError: The NVIDIA driver on your system is too old (found version 12040).",
            Cause(CauseKind.OLD_DRIVER, "12040"),
        ),
        ("CUDA driver version is insufficient for CUDA runtime version", Cause(CauseKind.OLD_DRIVER)),
        (
            "/usr/bin/python3: No module named torch.distributed.run",
            Cause(CauseKind.NO_MODULE, "torch.distributed.run"),
        ),
        ("ERROR: Unexpected bus error. insufficient shared memory (shm)", Cause(CauseKind.SHARED_MEMORY)),
        (
            "bash: ./go.sh: /home/a/env/bin/python: bad interpreter: No such file or directory",
            Cause(CauseKind.BAD_INTERPRETER, "/home/a/env/bin/python"),
        ),
        ("env: 'python3\\r': No such file or directory", Cause(CauseKind.BAD_INTERPRETER, "python3")),
        ("PermissionError: [Errno 13] Permission denied: '/data/out'", Cause(CauseKind.NO_PERMISSION, "/data/out")),
        ("bash: ./train.sh: Permission denied", Cause(CauseKind.NO_PERMISSION, "./train.sh")),
        ("git@github.com: Permission denied (publickey).", None),
        ("step 3 permission denied rate 0.2", None),
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


TRACEBACK = """Traceback (most recent call last):
  File "/home/a/work/train.py", line 88, in <module>
    main()
  File "/home/a/work/train.py", line 61, in step
    loss.backward()
  File "/venv/lib/python3.11/site-packages/torch/_tensor.py", line 581, in backward
    torch.autograd.backward(
RuntimeError: shapes (3,4) and (5,6) do not fit
  what they were is unknown""".split("\n")


def test_the_error_and_where_it_happened_and_not_the_whole_trace() -> None:
    assert error_lines(("epoch 1", *TRACEBACK)) == (
        'File "/home/a/work/train.py", line 61, in step',
        "RuntimeError: shapes (3,4) and (5,6) do not fit",
        "what they were is unknown",
    )
    assert has_traceback(TRACEBACK)
    assert error_lines(("epoch 1 loss 0.5", "no error at all")) == ()
    assert not has_traceback(("epoch 1 loss 0.5",))
