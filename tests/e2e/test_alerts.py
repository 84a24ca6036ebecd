"""What the bot says by itself while a job runs, and why one failed."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.jobs.job import Job
from bot.playground.client_types import Message
from tests.e2e.deployment import GPUS, Deployment


@pytest.fixture(scope="module")
def watched(town: Deployment) -> Deployment:
    """A deployment with one ready machine that all tests share."""
    town.handed_over("lamp")
    return town


def run(bot: Deployment, command: str) -> str:
    found = re.search(r"lamp/(\d+)", bot.ana(f"/gpu run lamp -- `{command}`").words)
    assert found
    return found[0]


def said(bot: Deployment, *words: str) -> list[Message]:
    thread = bot.person("ana").thread(GPUS, bot.card_of("lamp").ts)[1:]
    return [message for message in thread if message.metadata is None and all(w in message.words for w in words)]


def stored(bot: Deployment, name: str) -> Job:
    with bot.store.read() as tx:
        job = tx.jobs.by_number(bot.lease("lamp").id, int(name.split("/")[1]))
    assert job is not None
    return job


def test_a_loss_that_is_no_number_is_said_once_while_it_runs(watched: Deployment) -> None:
    falls = "for s in $(seq 1 20); do echo step=$s loss=0.$((90 - s)); done; echo step=21 loss=nan"
    goes_on = "while [ ! -e on ]; do sleep 0.1; done; echo step=22 loss=nan"
    recovers = "while [ ! -e off ]; do sleep 0.1; done; echo step=23 loss=0.5"
    name = run(watched, f"{falls}; {goes_on}; {recovers}")
    told = watched.in_thread("lamp", f"*{name}*", "loss is NaN or infinite since step 21")
    assert f"<@{watched.person('ana').id}>" in told.words
    assert "`/gpu kill" in told.words
    (watched.home("lamp") / "work" / "on").touch()
    watched.job(f"*{name}*", "step=22")
    judged_at = stored(watched, name).judge_at
    assert judged_at is not None
    watched.wait(lambda: (stored(watched, name).judge_at or judged_at) > judged_at + timedelta(seconds=1))
    assert len(said(watched, f"*{name}*", "NaN or infinite since")) == 1
    (watched.home("lamp") / "work" / "off").touch()
    calm = watched.in_thread("lamp", f"*{name}*", "has recovered: 0.5 at 23")
    assert "<@" not in calm.words
    watched.wait(lambda: stored(watched, name).judge_at is None)


def test_a_loss_that_is_no_number_in_a_short_job_is_said_once(watched: Deployment) -> None:
    name = run(watched, "for s in 1 2 3; do echo step=$s loss=0.$((9 - s)); done; echo step=4 loss=nan")
    ended = watched.in_thread("lamp", f"*{name}*: done, exit 0")
    watched.in_thread("lamp", f"*{name}*", "loss is NaN or infinite since step 4 (1 value); the last number was 0.6")
    watched.wait(lambda: stored(watched, name).judge_at is None)
    assert "number" not in ended.words
    assert len(said(watched, f"*{name}*", "loss")) == 1


def test_out_of_memory_is_told_with_what_helps(watched: Deployment) -> None:
    script = (
        "import sys\n"
        "try:\n    raise RuntimeError('CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 340.00 MiB free')\n"
        "except RuntimeError:\n    raise\n"
    )
    work = watched.home("lamp") / "work"
    work.mkdir(exist_ok=True)
    (work / "train.py").write_text(script)
    name = run(watched, "echo step=1 loss=0.5; python3 train.py")
    told = watched.in_thread("lamp", f"*{name}*: failed, exit 1", "The GPU's memory is full")
    assert "it asked for `2.00 GiB`" in told.words
    assert "RuntimeError: CUDA out of memory" in told.words
    assert "Traceback" not in told.words
    other = run(watched, "echo one; echo 'the last <!channel> line'; exit 2")
    crash = watched.in_thread("lamp", f"*{other}*: failed, exit 2", "the last")
    assert "&lt;!channel&gt; line" in crash.words


def test_a_run_that_will_not_fit_offers_as_much_as_it_needs(watched: Deployment) -> None:
    begins = "for s in $(seq 1 10); do echo step $s/1000 loss=0.$((90 - s)); done"
    name = run(watched, f"{begins}; while [ ! -e more ]; do sleep 0.1; done; echo step 11/1000 loss=0.5; sleep 300")
    watched.job(f"*{name}*", "step 10/1,000")
    job, now = stored(watched, name), datetime.now(UTC)
    with watched.store.transaction() as tx:  # a step a minute
        points = [p._replace(at=now - timedelta(minutes=11 - p.x)) for p in tx.points.of(job.id)["loss"]]
        tx.points.add(job.id, points)
    (watched.home("lamp") / "work" / "more").touch()
    told = watched.in_thread("lamp", f"*{name}* will not be done before the lease's end")
    needs = re.search(r"It needs (\d+ h(?: \d+ min)?) more: `/gpu extend lamp (\d+)m` costs (\S+)\.", told.words)
    assert needs, told.words
    assert "job_extend" in told.action_ids
    shown = watched.job(f"*{name}*", "with a reserve; the lease ends")
    assert "job_extend" in shown.action_ids
    ends_at, quote = watched.lease("lamp").ends_at, watched.lease("lamp").quote_microusd
    assert ends_at is not None
    assert watched.person("ana").click(told, "job_extend").acked
    watched.in_thread("lamp", "extended *lamp* by", f"{needs[3]} more")
    longer = watched.lease("lamp")
    assert longer.ends_at == ends_at + timedelta(minutes=int(needs[2]))
    assert longer.quote_microusd > quote
    watched.person("ana").click(told, "job_extend")
    watched.wait(lambda: [m for m in watched.person("ana").thread(GPUS, told.thread_ts) if "fits its lease" in m.words])
    assert watched.lease("lamp").ends_at == longer.ends_at
    watched.ana(f"/gpu kill {name}")
