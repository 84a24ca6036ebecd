"""The same scripts behind OpenSSH, whose death they outlive."""

from collections.abc import Callable

from bot.domain.jobs.requests import poll_request, start_request
from bot.domain.jobs.status import JobStatus, Seen, read_report
from bot.ports.remote import Step
from bot.remote.ssh import SshRemote
from tests.providers.world import eventually
from tests.remote.jobs.world import TIMING, new_job
from tests.remote.servers import Sshd


def test_a_job_outlives_the_servers_death(remote: SshRemote, start_sshd: Callable[..., Sshd]) -> None:
    sshd = start_sshd(kinds=("ed25519",))
    job = new_job("echo up; i=0; while [ ! -e ~/go-on ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done; exit 7")

    def step(step: Step, request: bytes) -> JobStatus:
        return read_report(remote.run(sshd.login(), step, (), request, 20).text).jobs[job.id]

    step(Step.START_JOB, start_request(job, {}, "~/work", TIMING))
    eventually(lambda: step(Step.POLL_JOB, poll_request([job], TIMING)).output == b"up\n")
    sshd.stop()
    sshd.start()
    assert step(Step.POLL_JOB, poll_request([job], TIMING)).seen is Seen.RUNNING
    (sshd.home / "go-on").touch()
    ended = eventually(
        lambda: step(Step.POLL_JOB, poll_request([job], TIMING)), lambda status: status.seen is Seen.ENDED
    )
    assert ended.exit.code == 7
