"""Curves out of the files that trainers write beside their output: found by themselves, preferred where richer."""

import re
import textwrap

import pytest

from bot.playground.client_types import Message
from tests.e2e.deployment import Deployment
from tests.e2e.test_curve import image


@pytest.fixture(scope="module")
def machine(town: Deployment) -> Deployment:
    """A deployment with one ready machine that all tests share."""
    town.ready("/gpu rent cpu 1h name=mill")
    return town


def run(bot: Deployment, script: str, options: str = "") -> str:
    """Start a Python script as a job; its name."""
    code = textwrap.dedent(script).strip()
    found = re.search(
        r"mill/\d+", bot.ana(f"/gpu run mill {options} -- ```\npython3 - <<'END'\n{code}\nEND\n```").words
    )
    assert found
    return found[0]


def message(bot: Deployment, name: str, *words: str, timeout_s: float = 30) -> Message:
    return bot.job(f"*{name}*", *words, timeout_s=timeout_s)


def go(bot: Deployment, name: str) -> None:
    bot.write("mill", name, b"")


def test_a_state_file_of_a_job_that_prints_nothing(machine: Deployment) -> None:
    name = run(
        machine,
        """
        import json, os, time
        history = []
        for checkpoint in (1, 2):
            for step in range(checkpoint * 100 - 90, checkpoint * 100 + 1, 10):
                history.append({"epoch": step / 200, "loss": 3.0 - step / 100, "learning_rate": 1e-4, "step": step})
            history.append({"epoch": checkpoint / 2, "eval_loss": 4.0 - checkpoint, "step": checkpoint * 100})
            folder = f"out/checkpoint-{checkpoint * 100}"
            os.makedirs(folder)
            with open(folder + "/trainer_state.json", "w") as file:
                json.dump({"global_step": checkpoint * 100, "log_history": history, "max_steps": 200}, file, indent=2)
            while not os.path.exists(f"state{checkpoint}"):
                time.sleep(0.1)
        """,
    )
    first = message(machine, name, "loss 2.9 → 2 over 100 steps", "(from `trainer_state.json`)")
    assert "running" in first.words
    go(machine, "state1")
    message(machine, name, "loss 2.9 → 1 over 200 steps", "val 2")
    go(machine, "state2")
    done = message(machine, name, "done, exit 0", "loss 2.9 → 1 over 200 steps", "(from `trainer_state.json`)")
    machine.wait(lambda: any(image(job) for job in machine.jobs() if job.ts == done.ts), 30)
    assert "(from `trainer_state.json`)" in machine.ana(f"/gpu loss {name}").words


def test_a_state_file_that_is_too_big_to_be_read_whole(machine: Deployment) -> None:
    name = run(
        machine,
        """
        records = (f'{{"epoch": {n / 1e5}, "loss": {3.0 - n / 1e5}, "step": {n}}}' for n in range(1, 250_001))
        with open("trainer_state.json", "w") as file:
            file.write('{"log_history": [' + ", ".join(records) + "]}")
        with open("history.json", "w") as file:
            file.write('{"loss": [' + "0.5, " * 4_000_000 + "1.5]}")
        """,
    )
    done = message(machine, name, "done, exit 0", "→ 0.5", "(from `trainer_state.json`)", "`history.json`")
    assert re.search(
        r"`trainer_state.json` is 1\d\.\d MB by now, too much to be read whole: each time its last \d", done.words
    )
    assert re.search(r"`history.json` \(2\d\.\d MB\) is not read: it is too big", done.words)


def test_a_table_that_grows_and_what_comes_last(machine: Deployment) -> None:
    name = run(
        machine,
        """
        import os, time
        with open("results.csv", "w") as file:
            file.write("epoch, train/box_loss, metrics/mAP50, val/box_loss\\n")
            for epoch in range(1, 7):
                file.write(f"{epoch}, {1 / epoch:.4f}, {epoch / 10}, {1.5 / epoch:.4f}" + "\\n" * (epoch < 6))
                file.flush()
                while epoch == 3 and not os.path.exists("table3"):
                    time.sleep(0.1)
        """,
    )
    message(machine, name, "running", "over 3 epochs", "(from `results.csv`)")
    go(machine, "table3")
    message(machine, name, "done, exit 0", "→ 0.1667 over 6 epochs")  # its last line has no end


def test_the_richer_source_holds_and_older_files_are_not_the_jobs(machine: Deployment) -> None:
    machine.write("mill", "trainer_log.jsonl", b'{"step": 1, "loss": 77.0}\n' * 50)
    machine.write("mill", "sub/metrics.csv", b"step,loss\n1,88.0\n2,88.0\n3,88.0\n4,88.0\n")
    machine.write("mill", "pause")
    name = run(
        machine,
        """
        import json, os
        for step in range(0, 100, 50):
            print(f"step {step} loss {9 - step / 100:.1f} accuracy {step / 200:.2f}", flush=True)
        with open("log.jsonl", "w") as file:
            for step in range(100):
                file.write(json.dumps({"step": step, "train_loss": 9 - step / 100}) + "\\n")
        """,
    )
    done = message(machine, name, "done, exit 0", "→ 8.01 over 99 steps", "(from `log.jsonl`)")
    assert "accuracy 0.25" in done.words
    # as words: such digits are in the moments of a message too
    assert not re.search(r"\b(?:77|88)(?:\.0)?\b", done.words)


def test_event_files(machine: Deployment) -> None:
    pytest.importorskip("tensorboardX", reason="an extra: pip install 'gpubot[tensorboard]'")
    import sys

    name = re.search(
        r"mill/\d+",
        machine.ana(f"/gpu run mill -- ```\n{sys.executable} - <<'END'\n{EVENTS}\nEND\n```").words,
    )
    assert name
    words = ("→ 0.05 over 20 steps", "(from `train/events.out.tfevents", "validation/epoch")
    message(machine, name[0], "done, exit 0", *words, timeout_s=60)


EVENTS = """
from tensorboardX import SummaryWriter
for folder in ("train", "validation"):
    with SummaryWriter("runs/" + folder) as writer:
        for step in range(1, 21):
            writer.add_scalar("epoch_loss", (1.0 if folder == "train" else 2.0) / step, step)
""".strip()


def test_of_two_jobs_in_one_directory_no_file_is_anybodys(machine: Deployment) -> None:
    other = run(machine, "import time\nprint('up', flush=True)\ntime.sleep(60)")
    message(machine, other, "running", "up")
    name = run(
        machine,
        """
        with open("metrics.csv", "w") as file:
            file.write("step,loss\\n1,3.0\\n2,2.0\\n3,1.0\\n")
        print("step 1 loss 5.5")
        """,
    )
    done = message(machine, name, "done, exit 0", "loss 5.5")
    assert "(from" not in done.words
    machine.ana(f"/gpu kill {other}")
    message(machine, other, "killed by")
