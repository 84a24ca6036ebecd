"""Code from a repository: which commit, in which directory, and nothing of a person's touched."""

import subprocess
from pathlib import Path

import pytest

from bot.domain.jobs.ending import EndingKind
from bot.domain.jobs.git import GitSource
from bot.domain.jobs.job import Job
from tests.remote.jobs.world import Machine, new_job

IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")


def git(*arguments: object) -> str:
    done = subprocess.run(
        ["git", *IDENTITY, *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
        env={"HOME": "/nonexistent"},
    )
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A bare repository: main at v2, tag v1, branch feature/x, and a commit of no branch."""
    tree, bare = tmp_path / "tree", tmp_path / f"code-{tmp_path.name}.git"
    git("init", "-q", "-b", "main", tree)
    for version in ("v1", "v2"):
        (tree / "version").write_text(version, encoding="ascii")
        git("-C", tree, "add", ".")
        git("-C", tree, "commit", "-qm", version)
        git("-C", tree, "tag", "-a", version, "-m", version)
    git("-C", tree, "checkout", "-qb", "feature/x", "v1")
    (tree / "version").write_text("x", encoding="ascii")
    git("-C", tree, "commit", "-qam", "x")
    git("clone", "-q", "--bare", tree, bare)
    git("-C", bare, "symbolic-ref", "HEAD", "refs/heads/main")
    return bare


def job_of(origin: Path, ref: str = "", command: str = "cat version", **fields: object) -> Job:
    return new_job(command, git=GitSource(str(origin), ref), **fields)


@pytest.mark.parametrize(("ref", "says"), [("", b"v2"), ("v1", b"v1"), ("feature/x", b"x"), ("COMMIT", b"v1")])
def test_branch_tag_and_commit(machine: Machine, origin: Path, ref: str, says: bytes) -> None:
    commit = git("-C", origin, "rev-parse", (ref or "main").replace("COMMIT", "v1") + "^{commit}")
    job = job_of(origin, ref.replace("COMMIT", commit))
    machine.start(job)
    ending, status = machine.ended(job)
    assert ending.is_success, status.output
    assert status.output.endswith(says)
    assert (status.commit, status.directory) == (commit, str(machine.home / "work" / origin.stem))


def test_the_same_commit_serves_again_and_local_changes_are_left_alone(machine: Machine, origin: Path) -> None:
    work, name = machine.home / "work", origin.stem

    def directory(ref: str = "") -> str:
        job = job_of(origin, ref, "pwd -P")
        machine.start(job)
        return Path(machine.ended(job)[1].directory).name

    assert directory() == name
    (work / name / "checkpoint.pt").write_text("untracked", encoding="ascii")
    assert directory() == name
    assert directory("v1") == f"{name}-2"
    assert directory("v1") == f"{name}-2"
    (work / name / "version").write_text("edited", encoding="ascii")
    assert directory() == f"{name}-3"
    assert (work / name / "version").read_text(encoding="ascii") == "edited"
    assert (work / name / "checkpoint.pt").exists()


def test_a_directory_of_somebody_else_is_not_taken(machine: Machine, origin: Path) -> None:
    mine = machine.home / "work" / origin.stem
    mine.mkdir()
    (mine / "version").write_text("mine", encoding="ascii")
    job = job_of(origin)
    machine.start(job)
    assert machine.ended(job)[1].directory == f"{mine}-2"
    assert [path.name for path in mine.iterdir()] == ["version"]


def test_a_directory_within_the_checkout(machine: Machine, origin: Path) -> None:
    job = job_of(origin, "", "ls", directory=".git")
    machine.start(job)
    assert b"HEAD" in machine.ended(job)[1].output


def test_failures_say_where_and_are_not_tried_again(machine: Machine, origin: Path) -> None:
    for ref, url, code in (("nowhere", str(origin), "git-checkout"), ("", f"{origin}-none", "git-clone")):
        job = new_job("touch ~/has-run", git=GitSource(url, ref))
        machine.start(job)
        ending, status = machine.ended(job)
        assert (ending.kind, ending.code) == (EndingKind.NEVER_STARTED, code)
        assert b"fatal" in status.output
    assert not (machine.home / "has-run").exists()


def test_a_clone_can_be_killed(machine: Machine, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 600\n", encoding="ascii")
    slow.chmod(0o700)
    job = new_job("true", git=GitSource("ssh://host.invalid/x"))
    machine.start(job, {"GIT_SSH_COMMAND": str(slow)})
    machine.kill(job)
    ending, _ = machine.ended(job)
    assert (ending.kind, ending.by) == (EndingKind.KILLED, "U2")
