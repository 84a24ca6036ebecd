"""How often jobs are looked at, and how much of them at once."""

from dataclasses import dataclass

from bot.domain.jobs.job import Job


@dataclass(frozen=True, slots=True)
class JobTiming:
    """Seconds and bytes. A young job is looked at every ``poll_s``, an old one every ``slow_poll_s``."""

    poll_s: float = 2.0
    slow_poll_s: float = 15.0
    piece_bytes: int = 256 * 1024
    """Output of one job in one poll."""
    poll_bytes: int = 1536 * 1024
    """Output of all jobs in one poll; a third more travels."""
    grace_s: float = 10.0
    """Between SIGTERM and SIGKILL."""
    prepare_s: float = 1800.0
    """How long a clone may take."""
    unseen_tries: int = 3
    """After so many failures in a row it is not known how the job is."""

    @property
    def find_files_s(self) -> float:
        """How often a job's directory is looked through for files that trainers write."""
        return 10 * self.poll_s

    def look_s(self, ran_s: float) -> float:
        """How long to wait before the next look at a job that has run for ``ran_s``."""
        return min(self.slow_poll_s, max(self.poll_s, ran_s / 20))

    def backoff_s(self, job: Job) -> float:
        """How long to wait after the job's failures in a row: doubling, up to a minute."""
        return float(min(60.0, max(self.poll_s, 0.25) * 2 ** min(job.attempts, 12)))
