"""How a run ended, by its output alone."""

import pytest

from bot.domain.jobs.lines import last_lines
from bot.domain.jobs.outcome import Ended
from bot.domain.run_reading import RunReader, RunReading
from tests.domain.metrics.reading import AT

STEPS = "".join(f"step {step} loss {2 - step / 100:.3f}\n" for step in range(20))
TRACE = 'Traceback (most recent call last):\n  File "train.py", line 3, in f\n    loss = model(x)\n'


def reading(text: str) -> RunReading:
    reader = RunReader(AT)
    reader.take(text.encode())
    return reader.reading()


@pytest.mark.parametrize(
    ("text", "ended", "oom", "has_traceback"),
    [
        ("", Ended.RUNNING, "", False),
        (STEPS, Ended.RUNNING, "", False),
        (STEPS + "Training complete.\n", Ended.FINISHED, "", False),
        (STEPS + "训练完成\n", Ended.FINISHED, "", False),
        (STEPS + "Saving the optimizer state\n", Ended.RUNNING, "", False),
        ("Epoch 5/5\nloss: 0.5\n", Ended.FINISHED, "", False),
        ("Epoch 5/5 step 10/100 loss 0.5\n", Ended.RUNNING, "", False),
        ("Epoch 5/5 step 100/100 loss 0.5\n", Ended.FINISHED, "", False),
        ("".join(f"Epoch {epoch}/3 loss: 0.5\n" for epoch in range(3)), Ended.FINISHED, "", False),
        (STEPS + TRACE + "ValueError: shapes\n", Ended.CRASH, "", True),
        (STEPS + TRACE + "ValueError: shapes\n" + STEPS, Ended.RUNNING, "", False),
        (STEPS + TRACE + "KeyboardInterrupt\n", Ended.KILLED, "", True),
        (STEPS + "Killed\n", Ended.KILLED, "", False),
        (STEPS + "error: *** JOB 7 CANCELLED AT 2026-01-02 DUE TO TIME LIMIT ***\n", Ended.KILLED, "", False),
        (STEPS + TRACE + "OutOfMemoryError: CUDA out of memory. Tried to allocate 1 GiB\n", Ended.OOM, "cuda", True),
        (STEPS + "CUDA out of memory: trying a batch of 8\n" + STEPS, Ended.RUNNING, "", False),
        (STEPS + "slurmstepd: error: Detected 1 oom-kill event(s)\n", Ended.OOM, "host", False),
        (STEPS + TRACE + "RuntimeError: worker (pid 7) is killed by signal: Killed.\n", Ended.OOM, "host", True),
        (STEPS + "[E ProcessGroupNCCL] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE)\n"
         + "terminate called after throwing an instance of 'std::runtime_error'\n", Ended.NCCL_TIMEOUT, "", True),
        (STEPS + "train.py: line 7: 1234 Segmentation fault (core dumped)\n", Ended.CRASH, "", True),
        ("bash: python3: command not found\n", Ended.CRASH, "", False),
    ],
)  # fmt: skip
def test_ended(text: str, ended: Ended, oom: str, has_traceback: bool) -> None:
    outcome = reading(text).outcome
    assert (outcome.ended, outcome.oom, outcome.has_traceback) == (ended, oom, has_traceback)


def test_the_last_lines_are_enough() -> None:
    found = reading(STEPS * 5000 + TRACE + "ValueError: shapes do not fit\n").outcome
    assert found.error_lines == ('File "train.py", line 3, in f', "ValueError: shapes do not fit")
    assert last_lines(b"a\n", 5, is_whole=True) == ("a",)
