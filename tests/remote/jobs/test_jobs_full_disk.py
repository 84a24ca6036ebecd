"""A disk without room: nothing starts, what runs can be killed, and how it ended is told all the same."""

import subprocess
from collections.abc import Callable, Iterator

import pytest

from bot.domain.jobs.ending import EndingKind
from bot.domain.jobs.requests import start_request
from bot.domain.jobs.status import Seen, read_report
from bot.ports.remote import Step
from tests.remote.jobs.world import TIMING, Machine, new_job


@pytest.fixture
def small(new_machine: Callable[[], Machine]) -> Iterator[Machine]:
    """A machine whose job files lie on a disk of their own, of 128 KiB."""
    machine = new_machine()
    assert machine.instance
    folder = machine.home / ".gpubot"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", folder], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield machine
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_disk_that_fills_up(small: Machine) -> None:
    job = new_job("cat /dev/zero > ~/.gpubot/fill; echo full; sleep 600")
    small.start(job)
    small.until(job, lambda status: bool(status.size_bytes) or (small.home / ".gpubot/fill").stat().st_size > 90_000)
    late = new_job("true")
    refused = small.remote.run(small.login, Step.START_JOB, (), start_request(late, {}, "~", TIMING), 20)
    assert (refused.exit_status, read_report(refused.text).error) == (1, "disk-full")
    assert small.poll(late).seen is Seen.ABSENT
    small.kill(job)
    ending, status = small.ended(job)
    assert ending.kind is EndingKind.KILLED
    assert status.exit is not None
    assert status.exit.free_bytes == 0
    failed = new_job("true")
    (small.home / ".gpubot/fill").unlink()
    small.start(failed)
    assert small.ended(failed)[0].is_success
