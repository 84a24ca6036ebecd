"""Jobs through the front door: started, followed, ended, killed, and found again after the bot died."""

import re
from pathlib import Path

import pytest

from bot.domain.jobs.ending import EndingKind
from bot.domain.jobs.job import Job, JobState
from bot.playground.client_types import Message
from bot.providers.local.places import Root
from tests.e2e.deployment import GPUS, Deployment
from tests.e2e.soundness import leases, only_lease

TRAINING = (
    'for e in 1 2 3; do echo "Epoch $e/3, Loss: 0.$((9 - e))120"; while [ ! -e go$e ]; do sleep 0.1; done; done; '
    "echo 'Test Accuracy: 98.91%'"
)
"""Each epoch waits until it may end."""


@pytest.fixture(scope="module")
def machine(town: Deployment) -> Deployment:
    """A deployment with one ready machine that all tests share."""
    town.ready("/gpu rent cpu 1h name=mill")
    return town


def stored(bot: Deployment, name: str = "mill") -> list[Job]:
    """All jobs of a lease, oldest first."""
    with bot.store.read() as tx:
        lease = tx.leases.by_name(name)
        assert lease is not None
        return list(reversed(tx.jobs.of(lease.id, 1000)))


def run(bot: Deployment, command: str, options: str = "") -> str:
    """Start a job; its name."""
    answer = bot.ana(f"/gpu run mill {options} -- {command}").words
    found = re.search(r"mill/\d+", answer)
    assert found, answer
    return found[0]


def message(bot: Deployment, name: str, *words: str, timeout_s: float = 20) -> Message:
    return bot.job(f"*{name}*", *words, timeout_s=timeout_s)


def home(bot: Deployment) -> Path:
    (lease,) = [lease for lease in leases(bot) if lease.name == "mill"]
    assert lease.ref is not None
    return Root(bot.root / "data" / "local").place(lease.ref.id).home


def test_a_training_is_followed_to_its_end(machine: Deployment) -> None:
    name = run(machine, f"`{TRAINING}`")
    for epoch in (1, 2, 3):
        message(machine, name, "running", f"epoch {epoch}/3")
        (home(machine) / "work" / f"go{epoch}").touch()
    done = message(machine, name, "done, exit 0", "Loss 0.812 → 0.612 over 3 epochs, still falling", "Accuracy 98.91")
    assert "It ran" in done.words
    assert "Epoch 3/3, Loss: 0.6120" in done.words
    said = f"{name}*: done, exit 0"
    machine.wait(lambda: [m for m in machine.person("ana").thread(GPUS, done.thread_ts) if said in m.words])
    answer = machine.ana(f"/gpu loss {name}").words
    assert "Loss 0.812 → 0.612" in answer
    log = machine.ana(f"/gpu logs {name} 2").words
    assert "Test Accuracy: 98.91%" in log
    assert "Epoch 1/3" not in log
    assert "Epoch 2/3" in machine.ana(f"/gpu logs {name} grep=2/3").words
    assert name in machine.ana("/gpu jobs mill").words


def test_the_card_shows_what_runs(machine: Deployment) -> None:
    name = run(machine, "`while ! [ -e told ]; do sleep 0.05; done; echo 'Epoch 1/3, Loss: 0.5'; sleep 60`")
    machine.card(f"job `{name}`")
    machine.write("mill", "told")
    machine.card(f"job `{name}` · epoch 1/3 · Loss 0.5")
    machine.ana(f"/gpu kill {name}")
    message(machine, name, "killed by")
    machine.wait(lambda: not any(f"job `{name}`" in card.words for card in machine.cards()))


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("exit 3", ("failed, exit 3",)),
        ("kill -SEGV $$", ("SIGSEGV",)),
        ("no-such-command", ("failed, exit 127", "The shell does not find `no-such-command`")),
        ("python3 -c 'import foo_of_nobody'", ("failed, exit 1", "Python has no module `foo_of_nobody`")),
        ("echo RuntimeError: CUDA out of memory. Tried to allocate 2 GiB; exit 1", ("The GPU's memory is full",)),
        ("true", ("done, exit 0",)),
    ],
)
def test_endings_are_told_apart(machine: Deployment, command: str, says: tuple[str, ...]) -> None:
    message(machine, run(machine, f"`{command}`"), *says)


def test_a_directory_that_is_not_there(machine: Deployment) -> None:
    message(machine, run(machine, "true", "dir=~/nowhere"), "never started", "nowhere` is not there")


def test_a_limit(machine: Deployment) -> None:
    found = machine.ana("/gpu run mill max=6h -- sleep 60").words
    assert "at most 6 h" in found
    machine.ana("/gpu kill mill")


def test_killed_by_a_button(machine: Deployment) -> None:
    name = run(machine, "sleep 300")
    running = message(machine, name, "running")
    assert machine.person("ana").click(running, "job_kill").acked
    over = message(machine, name, "killed by")
    assert "job_kill" not in over.action_ids
    (job,) = [job for job in stored(machine) if f"mill/{job.number}" == name]
    assert job.ending is not None
    assert (job.ending.kind, job.ending.by) == (EndingKind.KILLED, machine.person("ana").id)


def test_output_is_shown_literally_and_cut(machine: Deployment) -> None:
    evil = (
        "import sys\n"
        "print('<!channel> <@U0ANA0000> & \\x1b[31mred\\x1b[0m \\u202egnp.exe')\n"
        "print('```\\n*bold* ```')\n"
        "print('x' * 100_000)\n"
    )
    script = home(machine) / "work" / "evil.py"
    script.parent.mkdir(exist_ok=True)
    script.write_text(evil)
    name = run(machine, "PYTHONIOENCODING=utf-8 python3 evil.py")
    shown = message(machine, name, "done, exit 0")
    text = next(block["text"]["text"] for block in shown.blocks if "```" in block.get("text", {}).get("text", ""))
    assert len(text) < 3000
    assert "&lt;!channel&gt; &lt;@U0ANA0000&gt; &amp; red &lt;U+202E&gt;gnp.exe" in text
    assert "\u202e" not in text
    assert text.count("```") == 2
    assert "x" * 200 in text
    assert "x…" in text
    log = machine.ana(f"/gpu logs {name}").words
    assert log.count("```") == 2


def test_values_of_variables_are_never_shown(machine: Deployment) -> None:
    answer = machine.ana("/gpu run mill env=TOKEN=hunter2secret -- `test ${#TOKEN} = 13`").words
    assert "TOKEN" in answer
    name = re.search(r"mill/\d+", answer)
    assert name is not None
    done = message(machine, name[0], "done, exit 0")
    assert "hunter2secret" not in answer + done.words
    assert "hunter2secret" not in machine.log.read_text()
    (job,) = [job for job in stored(machine) if f"mill/{job.number}" == name[0]]
    assert job.sealed_env == ""
    for path in machine.root.glob("gpubot.db*"):
        assert b"hunter2secret" not in path.read_bytes()


@pytest.mark.parametrize("option", ["every=1h", "then=sync"])
def test_what_cannot_be_is_refused_and_not_ignored(machine: Deployment, option: str) -> None:
    before = len(stored(machine))
    assert "There is no archive" in machine.ana(f"/gpu run mill {option} -- true").words
    assert len(stored(machine)) == before


def test_only_owner_and_staff_start_and_end_jobs(machine: Deployment) -> None:
    machine.workspace.change_person("eve")
    eve = machine.person("eve")
    eve.join(GPUS)
    name = run(machine, "sleep 300")
    assert "Only" in eve.command(GPUS, "/gpu run mill -- true").words
    assert "Only" in eve.command(GPUS, f"/gpu kill {name}").words
    assert "message" not in eve.command(GPUS, f"/gpu logs {name}").words
    machine.ana(f"/gpu kill {name}")
    assert "ended already" in machine.wait(lambda: _if_in("already", machine.ana(f"/gpu kill {name}").words))


def _if_in(words: str, text: str) -> str | None:
    return text if words in text else None


def test_in_the_thread_the_name_is_left_out(machine: Deployment) -> None:
    ana, card = machine.person("ana"), machine.card("*ready*")
    ana.say(GPUS, "@gpubot run -- `echo from the thread`", thread=card)
    said = machine.wait(lambda: ana.find(GPUS, "Starting", thread=card))
    assert "echo from the thread" in said.words
    machine.job("done, exit 0", "from the thread")
    ana.dm("jobs mill")
    machine.wait(lambda: [m for m in ana.sees_dm() if "from the thread" in m.words])


def test_no_torch_is_said_plainly(machine: Deployment) -> None:
    name = re.search(r"mill/\d+", machine.ana("/gpu try mill").words)
    assert name is not None
    message(machine, name[0], "torch", timeout_s=40)


def test_a_job_outlives_the_bot(deployment: Deployment) -> None:
    deployment.ready()
    deployment.ana("/gpu run -- `for i in $(seq 1 40); do echo step=$i loss=0.$((90 - i)); sleep 0.1; done`")
    deployment.job("running", "loss")
    assert deployment.process is not None
    deployment.process.kill()
    deployment.process.wait(10)
    deployment.start()
    deployment.job("done, exit 0", "→ 0.5 over 40 steps")
    (lease,) = leases(deployment)
    (job,) = stored(deployment, lease.name)
    with deployment.store.read() as tx:
        curve = tx.points.of(job.id)["loss"]
    assert [point.x for point in curve] == list(range(1, 41))
    assert len(deployment.jobs()) == 1


def test_a_release_ends_its_jobs_before_the_machine_goes(deployment: Deployment) -> None:
    deployment.ready()
    deployment.ana("/gpu run -- sleep 300")
    deployment.job("running")
    deployment.ana("/gpu release")
    question = deployment.question("/1")
    deployment.person("ana").click(question, "question_yes")
    deployment.job("killed by")
    (job,) = stored(deployment, only_lease(deployment).name)
    assert job.state is JobState.ENDED
    deployment.card("*released*")


def test_a_stop_ends_its_jobs_truthfully(deployment: Deployment) -> None:
    deployment.ready()
    deployment.ana("/gpu run -- sleep 300")
    deployment.job("running")
    assert "This job runs and will be gone with it" in deployment.ana("/gpu stop").words
    deployment.card("*stopped*")
    deployment.job("gone: its machine was stopped")
    assert "jobs run on machines that are ready" in deployment.ana("/gpu run -- true").words
