"""Starting once, following by offset, and outliving whatever comes between."""

import hashlib
import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from bot.domain.jobs.ending import EndingKind
from bot.domain.jobs.requests import poll_request, start_request, tail_request
from bot.domain.jobs.status import Seen, read_report
from bot.errors import RemoteError
from bot.ports.remote import Step
from bot.remote.bundle import bundle
from bot.remote.ssh import SCRIPTS, SshRemote
from tests.providers.world import eventually
from tests.remote.jobs.world import TIMING, Machine, new_job

SECRET = "hf_$(touch ~/pwned) 'quoted' \\ and\nmore"


def test_ten_megabytes_of_any_bytes_in_bounded_pieces(machine: Machine) -> None:
    size = 10_000_000
    job = new_job(f"head -c {size} /dev/urandom | tee ~/sent")
    machine.start(job)
    machine.ended(job)
    taken, pieces = bytearray(), 0
    while len(taken) < size:
        status = machine.poll(replace(job, offset_bytes=len(taken)))
        assert status.offset_bytes == len(taken)
        assert 0 < len(status.output) <= TIMING.piece_bytes
        taken += status.output
        pieces += 1
    assert pieces == -(-size // TIMING.piece_bytes)
    assert hashlib.sha256(taken).digest() == hashlib.sha256((machine.home / "sent").read_bytes()).digest()
    tail = machine.step(Step.POLL_JOB, tail_request(job, 100)).jobs[job.id]
    assert (tail.offset_bytes, tail.output, tail.size_bytes) == (size - 100, bytes(taken[-100:]), size)


def test_it_outlives_the_connection_and_the_bot(machine: Machine) -> None:
    job = new_job("echo up; while [ ! -e ~/connection-went ]; do sleep 0.05; done; echo end")
    machine.start(job)
    machine.until_said(job, b"up")
    machine.remote.close()
    machine.remote = SshRemote()
    assert machine.poll(job).seen is Seen.RUNNING
    (machine.home / "connection-went").touch()
    ending, status = machine.ended(job)
    assert (ending.is_success, status.output) == (True, b"up\nend\n")


def test_started_by_many_at_once_it_runs_once(machine: Machine) -> None:
    job = new_job("echo ran >> ~/runs; sleep 0.5")
    with ThreadPoolExecutor(6) as pool:
        seen = [status.seen for status in pool.map(lambda _: machine.start(job), range(6))]
    assert set(seen) <= {Seen.STARTING, Seen.RUNNING, Seen.ENDED}
    machine.ended(job)
    assert machine.start(job).seen is Seen.ENDED
    assert (machine.home / "runs").read_text(encoding="ascii") == "ran\n"


def test_a_start_that_is_cut_down_anywhere_runs_it_once_or_says_that_it_did_not(tmp_path: Path) -> None:
    """The whole process group of the step, as a server that dies takes it along; then the start is repeated."""
    program = bundle(SCRIPTS / "start_job.py")
    poll = bundle(SCRIPTS / "poll_job.py")
    chance, outcomes = random.Random(7), set()

    def call(script: bytes, request: bytes) -> "subprocess.Popen[bytes]":
        loader = f"exec(compile({script!r}, 'gpubot', 'exec'), {{'__name__': 'gpubot'}})"
        environment = {"HOME": str(tmp_path), "PATH": os.defpath}
        file = tmp_path / "loader.py"
        file.write_text(loader, encoding="ascii")
        started = subprocess.Popen(
            [sys.executable, "-I", "-S", file],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert started.stdin is not None
        started.stdin.write(request)
        started.stdin.close()
        started.stdin = None
        return started

    def report_of(script: bytes, request: bytes) -> Seen:
        with call(script, request) as process:
            text = process.communicate(timeout=20)[0]
        return read_report(text.decode("ascii")).jobs[job.id].seen

    for round_ in range(12):
        job = new_job(f"echo ran >> {tmp_path}/runs{round_}")
        request = start_request(job, {}, "~/work", TIMING)
        with call(program, request) as cut:
            Event().wait(chance.uniform(0.03, 0.09))
            os.killpg(cut.pid, signal.SIGKILL)
        report_of(program, request)
        last = eventually(
            partial(report_of, poll, poll_request([job], TIMING)),
            lambda seen: seen in (Seen.ENDED, Seen.NEVER_STARTED, Seen.LOST),
        )
        runs = tmp_path / f"runs{round_}"
        count = len(runs.read_text(encoding="ascii").splitlines()) if runs.exists() else 0
        assert count == (1 if last is Seen.ENDED else 0)
        outcomes.add(last)
    assert Seen.ENDED in outcomes


def test_twenty_at_once_in_one_poll(machine: Machine) -> None:
    jobs = [new_job(f"echo job {number}; sleep 0.3; exit {number}") for number in range(20)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(machine.start, jobs))
    request = poll_request(jobs, TIMING)
    report = eventually(
        lambda: machine.step(Step.POLL_JOB, request),
        lambda report: all(status.seen is Seen.ENDED for status in report.jobs.values()),
    )
    for number, job in enumerate(jobs):
        status = report.jobs[job.id]
        assert status.exit is not None
        assert (status.exit.code, status.output) == (number, f"job {number}\n".encode())


def test_the_total_of_a_poll_is_bounded(machine: Machine) -> None:
    jobs = [new_job("head -c 1000 /dev/zero") for _ in range(3)]
    for job in jobs:
        machine.start(job)
        machine.ended(job)
    report = machine.step(Step.POLL_JOB, poll_request(jobs, replace(TIMING, piece_bytes=800, poll_bytes=1000)))
    assert [len(report.jobs[job.id].output) for job in jobs] == [800, 200, 0]


def test_variables_arrive_as_they_are_and_are_seen_in_no_process_list(machine: Machine) -> None:
    job = new_job('printf %s "$TOKEN" | sha256sum; [ -z "$GPUBOT_PRELUDE" ] && sleep 600')
    machine.start(job, {"TOKEN": SECRET})
    status = machine.until(job, lambda status: status.size_bytes == 68)
    assert status.output.split()[0].decode() == hashlib.sha256(SECRET.encode()).hexdigest()
    lists = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, check=True).stdout
    assert b"sleep 600" in lists
    assert b"hf_" not in lists
    kept = b"".join(path.read_bytes() for path in machine.folder(job).iterdir())
    assert b"hf_" not in kept
    assert b'"TOKEN"' in kept
    machine.kill(job)
    machine.ended(job)


def test_the_login_shells_environment_and_what_was_asked_for_over_it(machine: Machine) -> None:
    profile = machine.home / ".bash_profile"
    profile.write_text(". ~/.profile\nfrom_module() { echo module; }\nexport A=profile B=profile\ncd /\n")
    try:
        command = 'pwd; echo "$A $B $PYTHONUNBUFFERED ${LC_ALL-none}"; from_module\ncat <<E\nlines\nE'
        _, status = machine.run(command, {"A": "asked"})
    finally:
        profile.unlink()
    lines = status.output.decode().splitlines()
    assert lines == [str(machine.home / "work"), "asked profile 1 none", "module", "lines"]


def test_its_directory(machine: Machine) -> None:
    (machine.home / "work" / "a b").mkdir()
    for asked, expected in (("a b", "work/a b"), ("~/work/a b", "work/a b"), ("~", ""), ("/", None)):
        _, status = machine.run("pwd", directory=asked)
        assert status.output.decode().strip() == ("/" if expected is None else str(machine.home / expected).rstrip("/"))
        assert status.directory


def test_the_files_are_the_users_own(machine: Machine) -> None:
    job = new_job("umask")
    machine.start(job)
    assert machine.ended(job)[1].output == b"0022\n"
    folder = machine.folder(job)
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent, folder.parent.parent)] == [0o700] * 3
    assert {path.name for path in folder.iterdir()} == {"claim", "exit", "job.json", "output.log", "pid"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir() if path.name in ("output.log", "exit"))


def test_how_it_ended_waits_until_it_can_be_written(machine: Machine) -> None:
    job = new_job('cd "${GPUBOT_JOB_OUTPUT%/*}"; rm exit.draft; mkdir exit.draft; exit 6')
    machine.start(job)
    machine.until(job, lambda status: status.seen is Seen.FINISHING)
    assert machine.poll(job).has_keeper
    (machine.folder(job) / "exit.draft").rmdir()
    ending, _ = machine.ended(job)
    assert (ending.kind, ending.exit_code) == (EndingKind.EXITED, 6)


def test_an_emptied_log_is_seen_as_shorter(machine: Machine) -> None:
    job = new_job('echo something long; : > "$GPUBOT_JOB_OUTPUT"; echo new')
    machine.start(job)
    machine.ended(job)
    assert machine.poll(job).output == b"new\n"
    assert machine.poll(replace(job, offset_bytes=15)).size_bytes == 4


def test_what_cannot_be_carried_is_refused_before_it_is_claimed(machine: Machine) -> None:
    for job, code in (
        (new_job("x" * 121_000), "too-long"),
        (new_job("a\0b"), "nul"),
        (new_job("x", id="../x"), "bad-job-id"),
    ):
        output = machine.remote.run(machine.login, Step.START_JOB, (), start_request(job, {}, "~", TIMING), 20)
        assert (output.exit_status, read_report(output.text).error) == (1, code)
    assert not (machine.home / ".gpubot" / "x").exists()


def test_a_machine_without_python_says_so(machine: Machine) -> None:
    from bot.remote.bundle import starter

    script = "PATH=/nowhere HOME=/nowhere\n" + starter(b"x").replace("/opt/", "/none/")
    output = machine.remote.run_script(machine.login, script, (), b"x", 20)
    assert read_report(output.text).error == "no-python3"


def test_a_module_in_somebodys_home_is_not_ours(machine: Machine) -> None:
    (machine.home / "json.py").write_text("raise SystemExit('loaded')\n", encoding="ascii")
    try:
        assert machine.run("true")[0].is_success
    finally:
        (machine.home / "json.py").unlink()


@pytest.mark.parametrize("step", [Step.START_JOB, Step.POLL_JOB, Step.KILL_JOB])
def test_nonsense_is_refused(machine: Machine, step: Step) -> None:
    for request in (b"", b"nonsense", b"[]", b"{}", b'{"job": 1}'):
        try:
            output = machine.remote.run(machine.login, step, (), request, 20)
        except RemoteError:
            continue
        assert output.exit_status == 1
        assert read_report(output.text).error
