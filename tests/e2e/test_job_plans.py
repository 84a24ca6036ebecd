"""What jobs wait for and lead to: `after=`, `then=`, `every=`; and commands of several lines."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.jobs.job import Job
from bot.domain.question import Cause
from tests.e2e.deployment import GPUS, Deployment

MARK = "echo up; while [ ! -e {0} ]; do sleep 0.1; done; {1}"
"""Waits for a file, then does something."""


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment with an archive, and one ready machine that all tests share."""
    root = tmp_path_factory.mktemp("mill")
    (root / "archive").mkdir()
    bot = Deployment(root, archive=root / "archive")
    bot.start()
    bot.handed_over("mill")
    yield bot
    bot.close()


def run(bot: Deployment, options: str, command: str, lease: str = "mill") -> str:
    """Start a job; its name."""
    answer = bot.ana(f"/gpu run {lease} {options} -- `{command}`").words
    found = re.search(rf"\*{lease}/(\d+)\*", answer)
    assert found, answer
    return f"{lease}/{found[1]}"


def stored(bot: Deployment, name: str) -> Job:
    lease, _, number = name.partition("/")
    with bot.store.read() as tx:
        job = tx.jobs.by_number(bot.lease(lease).id, int(number))
    assert job is not None
    return job


def open_gate(bot: Deployment, name: str, lease: str = "mill") -> None:
    (bot.home(lease) / "work" / name).touch()


def test_one_comes_after_another(mill: Deployment) -> None:
    first = run(mill, "", MARK.format("go-first", "true"))
    second = run(mill, f"after={first.split('/')[1]}", "ls go-first")
    assert f"waiting for {first}" in mill.job(f"*{second}*", "waiting").words
    mill.job(f"*{first}*", "running")
    open_gate(mill, "go-first")
    mill.job(f"*{first}*", "done, exit 0")
    mill.job(f"*{second}*", "done, exit 0")
    assert stored(mill, second).started_at > stored(mill, first).ended_at  # type: ignore[operator]


def test_one_is_called_by_the_name_it_was_given(mill: Deployment) -> None:
    """Wherever it is told of, and in `after=` by the name alone."""
    first = run(mill, "name=a", MARK.format("go-named", "true"))
    second = run(mill, "name=second.pass after=a", "true")
    third = run(mill, "name=last after=second.pass", "true")
    fourth = run(mill, "after=LAST", "true")
    for name, awaited in ((second, first), (third, second), (fourth, third)):
        assert f"waiting for {awaited}" in mill.job(f"*{name}*", "waiting").words
    answer = mill.ana("/gpu run mill name=again -- `true`").words
    assert re.search(r"Starting \*mill/\d+\* \(`again`\)", answer)
    listed = mill.ana("/gpu jobs mill").words
    assert f"`{first}` (`a`) · " in listed
    assert f"`{fourth}` · waiting" in listed
    ana = mill.person("ana")
    ana.open_home()
    mill.wait(lambda: (home := ana.home()) is not None and f"`{third}` (`last`)" in home.words)
    open_gate(mill, "go-named")
    mill.in_thread("mill", f"*{third}* (`last`): done")
    answer = mill.ana("/gpu run mill after=lats -- true").words
    assert "has no job called `lats`" in answer
    assert f"`{third}` (`last`)" in answer


def test_nothing_comes_after_what_failed(mill: Deployment) -> None:
    first = run(mill, "", MARK.format("go-wrong", "exit 3"))
    second = run(mill, f"after={first}", "touch has-run")
    open_gate(mill, "go-wrong")
    mill.job(f"*{first}*", "failed, exit 3")
    mill.job(f"*{second}*", "never started", f"`{first}`, which it was to come after, did not end well")
    mill.in_thread("mill", f"*{second}*: never started")
    assert not (mill.home("mill") / "work" / "has-run").exists()
    assert "did not end well" in mill.ana(f"/gpu run mill after={first} -- true").words
    assert "has no job 999" in mill.ana("/gpu run mill after=mill/999 -- true").words


def test_a_good_end_is_copied(mill: Deployment) -> None:
    name = run(mill, "then=sync", "echo weights > model.pt")
    mill.in_thread("mill", f"*{name}*: done, exit 0", "copied to the archive now")
    mill.wait(lambda: list((mill.root / "archive").rglob("model.pt")), 40)


def test_a_bad_end_leads_to_nothing_and_says_so(mill: Deployment) -> None:
    name = run(mill, "then=release", "exit 1")
    mill.in_thread(
        "mill", f"*{name}*: failed, exit 1", "`then=release` is not carried out", "`/gpu release mill` does it"
    )
    assert not mill.questions()


def test_a_release_after_a_job_is_asked_for(mill: Deployment) -> None:
    name = run(mill, "--then release", "echo precious > only-here.pt")
    mill.in_thread("mill", f"*{name}*: done, exit 0", "release is asked for next")
    question = mill.in_thread("mill", "Release *mill*", f"`{name}` has ended well, and <@{mill.person('ana').id}>")
    assert "only-here.pt" in question.words
    with mill.store.read() as tx:
        asked = tx.questions.latest(mill.lease("mill").id)
    assert asked is not None
    assert (asked.cause, asked.after_job, asked.asked_by) == (Cause.AFTER_JOB, name, mill.person("ana").id)
    again = run(mill, "then=release", "true")
    mill.in_thread("mill", f"*{again}*: done", "it is being done already")
    assert mill.person("ana").click(question, "question_no").acked
    mill.in_thread("mill", "keeps *mill*")
    assert "wanted" not in mill.ana("/gpu audit mill").words


def test_copies_while_it_runs_one_at_a_time(mill: Deployment) -> None:
    name = run(mill, "every=30m", MARK.format("go-on", "true"))
    mill.job(f"*{name}*", "running", "copied every 30 min")
    (mill.home("mill") / "work" / "checkpoint.pt").write_bytes(b"half way")
    assert not list((mill.root / "archive").rglob("checkpoint.pt"))
    with mill.store.transaction() as tx:  # half an hour later
        job = tx.jobs.lock(stored(mill, name).id)
        assert job is not None
        tx.jobs.save(job.noted(next_sync_at=datetime.now(UTC)))
    mill.wait(lambda: list((mill.root / "archive").rglob("checkpoint.pt")), 40)
    next_at = stored(mill, name).next_sync_at
    assert next_at is not None
    assert 1700 < (next_at - datetime.now(UTC)).total_seconds() <= 1800
    open_gate(mill, "go-on")
    mill.job(f"*{name}*", "done, exit 0")


def test_a_stop_after_a_job_ends_no_other(mill: Deployment) -> None:
    mill.handed_over("halt")
    other = run(mill, "", "sleep 300", "halt")
    name = run(mill, "then=stop", "true", "halt")
    mill.in_thread("halt", f"*{name}*: done", "`then=stop` is not carried out: other jobs run")
    mill.ana(f"/gpu kill {other}")
    mill.job(f"*{other}*", "killed by")
    last = run(mill, "then=stop", "true", "halt")
    mill.in_thread("halt", f"*{last}*: done", "The machine is stopped now")
    mill.card_of("halt", "*stopped*")


def test_several_lines_in_a_fence_are_a_script_as_it_stands(mill: Deployment) -> None:
    ana, card = mill.person("ana"), mill.card_of("mill")
    loop = "set -e\nfor n in 1 2; do\n  echo “line” -- $n &amp;&amp; true\ndone\n"
    script = f"{loop}cat &lt;&lt;'END' | tr a-z A-Z\nlast -- words\nEND"
    ana.say(GPUS, f"<@{mill.workspace.facts()['bot']['id']}> run -- ```{script}```", thread=card, raw=True)
    mill.job("done, exit 0", "“line” -- 1", "“line” -- 2", "LAST -- WORDS")
    ana.dm("run mill --\n```\nif true\nthen echo 'from &lt;a&gt; fence'\nfi\n```", raw=True)
    mill.job("done, exit 0", "from &lt;a&gt; fence")


def test_the_login_shells_environment_is_there(mill: Deployment) -> None:
    home: Path = mill.home("mill")
    profile = home / ".bash_profile"
    profile.write_text('export PATH="$HOME/conda/bin:$PATH" CONDA_DEFAULT_ENV=vision\nmodule() { echo "loaded $1"; }\n')
    tool = home / "conda" / "bin" / "trainer"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\necho "in $CONDA_DEFAULT_ENV"\n')
    tool.chmod(0o755)
    name = run(mill, "", "module cuda; trainer")
    mill.job(f"*{name}*", "done, exit 0", "loaded cuda", "in vision")
    profile.unlink()
