"""Every way in which a job ends, on a real machine."""

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.jobs.ending import Ending, EndingKind
from bot.domain.jobs.status import Seen
from tests.providers.world import eventually
from tests.remote.jobs.world import Machine, marked, new_job


def test_exit_codes(machine: Machine) -> None:
    ending, status = machine.run("echo out; echo err >&2")
    assert ending == Ending(EndingKind.EXITED, exit_code=0)
    assert ending.is_success
    assert sorted(status.output.splitlines()) == [b"err", b"out"]
    ending, status = machine.run("exit 3")
    assert ending == Ending(EndingKind.EXITED, exit_code=3)
    assert (status.exit is not None, status.killed_by, status.has_keeper) == (True, "", False)


@pytest.mark.parametrize("command", ["kill -SEGV $$", "(ulimit -c 0; sh -c 'kill -SEGV $$'); exit $?"])
def test_signals_of_its_own_and_through_a_shell(machine: Machine, command: str) -> None:
    ending, _ = machine.run(command)
    assert (ending.kind, ending.signal) == (EndingKind.SIGNALLED, signal.SIGSEGV)


def test_kill_takes_all_of_its_processes(machine: Machine) -> None:
    deaf = "setsid -f sh -c 'trap \"\" TERM; exec sleep 600'"
    job = new_job(f"{deaf}; setsid -f env -i sleep 600; (sleep 600 &) ; echo up; trap '' TERM; sleep 600; sleep 600")
    machine.start(job)
    machine.until_said(job, b"up")
    keeper = machine.keeper(job)
    children = [int(pid) for pid in _descendants(keeper)]
    assert len(children) >= 5
    assert machine.kill(job).killed_by == "U2"
    machine.kill(job, by="U3")
    ending, _ = machine.ended(job)
    assert (ending.kind, ending.by) == (EndingKind.KILLED, "U2")
    assert [pid for pid in children if Path(f"/proc/{pid}/exe").exists()] == []
    assert machine.kill(job).seen is Seen.ENDED


def test_kill_lets_it_finish_within_the_grace(machine: Machine) -> None:
    job = new_job("trap 'echo saved; exit 5' TERM; echo up; while :; do sleep 0.1; done")
    machine.start(job)
    machine.until_said(job, b"up")
    machine.kill(job)
    ending, status = machine.ended(job)
    assert (ending.kind, ending.exit_code) == (EndingKind.KILLED, 5)
    assert b"saved" in status.output


def test_those_in_sessions_of_their_own_are_asked_first_too(machine: Machine) -> None:
    child = "trap 'echo {0} saved; exit' TERM; echo {0} up; while :; do sleep 0.1; done"
    inner = f'setsid -f bash -c "{child.format("grandchild")}"; {child.format("child")}'
    job = new_job(f"cat > ~/inner.sh <<'END'\n{inner}\nEND\nsetsid -f bash ~/inner.sh; sleep 600")
    machine.start(job)
    machine.until(job, lambda status: {b"child up", b"grandchild up"} <= set(status.output.splitlines()))
    machine.kill(job)
    ending, status = machine.ended(job)
    assert ending.kind is EndingKind.KILLED
    assert {b"child saved", b"grandchild saved"} <= set(status.output.splitlines())
    assert marked(job) == []


def test_its_limit_holds_while_nobody_looks(machine: Machine) -> None:
    job = new_job("setsid -f sleep 600; sleep 600", max_s=1)
    machine.start(job)
    path = machine.folder(job) / "exit"
    eventually(path.exists)
    ending, status = machine.ended(job)
    assert ending.kind is EndingKind.MAX_REACHED
    assert status.exit is not None
    assert status.exit.ran_s is not None
    assert 0.9 < status.exit.ran_s < 10
    assert marked(job) == []


def test_a_stopped_machine_has_rebooted(new_machine: Callable[[], Machine]) -> None:
    machine = new_machine()
    job, done, unclaimed = new_job("sleep 600"), new_job("exit 4"), new_job("echo never")
    machine.start(job)
    machine.start(done)
    machine.ended(done)
    machine.provider.stop(machine.ref)
    machine.provider.start(machine.ref)
    assert machine.poll(job).seen is Seen.REBOOTED
    assert machine.ended(done)[0].exit_code == 4
    assert machine.start(job).seen is Seen.REBOOTED  # and does not run again
    assert machine.poll(unclaimed).seen is Seen.ABSENT


def test_a_lost_keeper_is_said(machine: Machine) -> None:
    job = new_job("echo up; while [ ! -e ~/go-on ]; do sleep 0.05; done; echo more")
    machine.start(job)
    machine.until_said(job, b"up")
    machine.end_keeper(job)
    assert machine.poll(job).seen is Seen.RUNNING
    (machine.home / "go-on").touch()
    status = machine.until(job, lambda status: status.seen is not Seen.RUNNING)
    assert (status.seen, status.output) == (Seen.LOST, b"up\nmore\n")


def test_kill_without_a_keeper(machine: Machine) -> None:
    job = new_job("setsid -f sleep 600; echo up; trap '' TERM; sleep 600; sleep 600")
    machine.start(job)
    machine.until_said(job, b"up")
    machine.end_keeper(job)
    machine.kill(job)
    status = machine.until(job, lambda status: status.seen is Seen.LOST)
    assert status.killed_by == "U2"
    eventually(lambda: marked(job) == [])


def test_a_keeper_that_died_before_the_command_began(machine: Machine) -> None:
    job = new_job("touch ~/has-run")
    folder = machine.folder(job)
    folder.mkdir(parents=True)
    (folder / "claim").write_text('{"pid": 1, "ticks": 1, "boot": "another"}', encoding="ascii")
    assert machine.start(job).seen is Seen.NEVER_STARTED
    assert not (machine.home / "has-run").exists()


def test_without_its_pid_on_record_the_command_does_not_begin(machine: Machine) -> None:
    job = new_job("touch ~/has-begun")
    (machine.folder(job) / "pid.draft").mkdir(parents=True)
    machine.start(job)
    ending, _ = machine.ended(job)
    assert (ending.kind, ending.code) == (EndingKind.NEVER_STARTED, "not-possible")
    eventually(lambda: marked(job) == [])
    assert not (machine.home / "has-begun").exists()


def test_killed_before_it_was_started(machine: Machine) -> None:
    job = new_job("touch ~/was-started")
    assert machine.kill(job).seen is Seen.ENDED
    assert machine.start(job).seen is Seen.ENDED
    ending, _ = machine.ended(job)
    assert (ending.kind, ending.by, ending.code) == (EndingKind.KILLED, "U2", "killed")
    assert not (machine.home / "was-started").exists()


def test_what_it_leaves_behind_is_counted_and_can_be_ended(machine: Machine) -> None:
    job = new_job("setsid -f sleep 600; echo done")
    machine.start(job)
    ending, _ = machine.ended(job)
    assert (ending.kind, ending.exit_code, ending.left_running) == (EndingKind.EXITED, 0, 1)
    assert len(marked(job)) == 1
    machine.kill(job)
    eventually(lambda: marked(job) == [])
    assert machine.ended(job)[0].kind is EndingKind.EXITED


def test_no_such_directory(machine: Machine) -> None:
    ending, _ = machine.run("true", directory="nowhere")
    assert (ending.kind, ending.code) == (EndingKind.NEVER_STARTED, "no-directory")
    assert ending.detail.endswith("/work/nowhere")


def test_a_full_disk_is_a_hint(machine: Machine) -> None:
    job = new_job("exit 1")
    machine.start(job)
    _, status = machine.ended(job)
    assert status.exit is not None
    assert status.exit.free_bytes is not None
    assert status.exit.free_bytes > 0
    from bot.domain.jobs.ending import ending_of

    assert ending_of(replace(status.exit, free_bytes=0), "").kind is EndingKind.DISK_FULL


def _descendants(pid: int) -> list[str]:
    found: list[str] = []
    for task in (f"/proc/{pid}/task/{pid}/children",):
        with Path(task).open(encoding="ascii") as file:
            for child in file.read().split():
                found += [child, *_descendants(int(child))]
    return found
