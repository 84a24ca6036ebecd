"""``loss`` with options: a picture of its own to the asker, and words for what is not there."""

import re

import pytest

from bot.playground.client_types import Message
from tests.e2e.deployment import Deployment
from tests.e2e.test_curve import size_of

RUN = "for i in $(seq 1 40); do echo step $i loss 0.$((90 - i)) val_loss 0.$((95 - i)) grad_norm 1.$i; done"


@pytest.fixture(scope="module")
def machine(town: Deployment) -> Deployment:
    """A machine on which two jobs are done."""
    town.ready("/gpu rent cpu 1h name=mill")
    for command in (RUN, "for i in $(seq 1 40); do echo step $i train_loss 1.$((90 - i)); done"):
        found = re.search(r"mill/\d+", town.ana(f"/gpu run mill -- `{command}`").words)
        assert found
        town.job(f"*{found[0]}*", "done, exit 0", "over 40 steps")
    return town


def sent(bot: Deployment, *words: str) -> tuple[Message, Message]:
    """What Ana was told directly that says these, and the picture in its thread."""
    ana = bot.person("ana")

    def look() -> tuple[Message, Message] | None:
        for message in reversed(ana.sees_dm()):
            if all(word in message.words for word in words):
                pictures = [m for m in ana.thread(message.channel, message.ts) if m.files]
                return (message, pictures[0]) if pictures else None
        return None

    found: tuple[Message, Message] = bot.wait(look, 40)
    return found


def test_chosen_metrics_come_to_the_asker_and_the_jobs_message_stays(machine: Deployment) -> None:
    before = machine.job("*mill/1*", "Curve of mill/1")
    answer = machine.ana("/gpu loss mill/1 VAL_LOSS grad_norm --log --last 1h").words
    assert "val_\u2060loss 0.94 → 0.55 at step 40; grad_\u2060norm 1.1 → 1.4 at step 40" in answer
    assert "(the last 1 h)" in answer
    assert "comes to you directly" in answer
    message, picture = sent(machine, "val_\u2060loss 0.94 → 0.55")
    assert "The picture is in this thread" in message.words
    assert size_of(machine.workspace.file(picture.files[0])) == (1200, 675)
    assert machine.job("*mill/1*").words == before.words


def test_two_jobs_in_one_picture(machine: Deployment) -> None:
    answer = machine.ana("/gpu loss mill/1 vs mill/2").words
    assert "*mill/1*: loss 0.89 → 0.5 at step 40" in answer
    assert "*mill/2*: train_\u2060loss 1.89 → 1.5 at step 40" in answer
    sent(machine, "*mill/1*: loss", "*mill/2*: train")
    assert "*mill/2*: train_\u2060loss" in machine.ana("/gpu loss mill/1 loss vs mill/2").words


def test_a_run_by_epochs_beside_one_by_steps(machine: Deployment) -> None:
    epochs = "for i in 1 2 3; do echo Epoch $i/3, Loss: 0.$((9 - i)); done"
    found = re.search(r"mill/\d+", machine.ana(f"/gpu run mill name=slow -- `{epochs}`").words)
    assert found
    machine.job(f"*{found[0]}*", "done, exit 0", "over 3 epochs")
    answer = machine.ana("/gpu loss mill/1 vs mill/slow").words
    assert f"*{found[0]}* (`slow`): Loss 0.8 → 0.6 at epoch 3. Not drawn: counted in epochs" in answer


def test_a_name_in_front_means_that_job_alone(machine: Deployment) -> None:
    for option in ("name=front", "after=1"):
        found = re.search(r"mill/\d+", machine.ana(f"/gpu run mill {option} -- `echo step 1 loss 0.5`").words)
        assert found
        machine.job(f"*{found[0]}*", "done, exit 0", "loss")
    lines = machine.ana("/gpu loss mill/front vs mill/1").words.splitlines()
    assert [line.split("*")[1] for line in lines[:2]] == [f"mill/{int(found[0][5:]) - 1}", "mill/1"]
    assert len(lines) == 3


def test_a_metric_that_is_not_there(machine: Deployment) -> None:
    answer = machine.ana("/gpu loss mill/1 val_los").words
    assert "has no metric `val_los`" in answer
    assert "Did you mean `val_loss`?" in answer
    assert "`grad_norm`" in answer
    assert "has no job 9" in machine.ana("/gpu loss mill/1 vs mill/9").words
    assert "vs" in machine.ana("/gpu loss mill/1 vs").words


def test_jobs_are_named_by_the_names_they_were_given(machine: Deployment) -> None:
    found = re.search(r"mill/(\d+)", machine.ana(f"/gpu run mill name=baseline -- `{RUN}; sleep 300`").words)
    assert found
    number = found[1]
    machine.job(f"*mill/{number}*", "step 40")
    meant = f"has no job called `basline`. Did you mean `mill/{number}` (`baseline`)?"
    for command in ("kill mill/basline", "logs mill/basline", "loss mill/basline", "loss mill/1 vs mill/basline"):
        assert meant in machine.ana(f"/gpu {command}").words, command
    assert meant in machine.ana("/gpu run mill after=mill/basline -- true").words
    assert "has no job called `zzz`. `/gpu jobs mill`" in machine.ana("/gpu kill mill/zzz").words
    assert "loss 0.50" in machine.ana("/gpu logs mill/Baseline").words
    assert "comes to you directly" in machine.ana("/gpu loss mill/baseline val_loss").words
    second = re.search(r"mill/(\d+)", machine.ana("/gpu run mill name=baseline -- `sleep 300`").words)
    assert second
    machine.job(f"*mill/{second[1]}*", "running")
    both = machine.ana("/gpu kill mill/baseline").words
    assert f"`mill/{number}` and `mill/{second[1]}`" in both
    machine.ana(f"/gpu kill mill/{second[1]}")
    machine.job(f"*mill/{second[1]}*", "killed by")
    machine.ana("/gpu kill mill/baseline")
    machine.job(f"*mill/{number}*", "killed by")
