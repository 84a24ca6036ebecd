"""The store of jobs."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import and_, exists, func, or_, update
from sqlmodel import Session, col, select

from bot.domain.claim import Duty
from bot.domain.jobs.job import Job, JobState
from bot.domain.jobs.reading import JobOutput
from bot.domain.jobs.run_file import SET_ASIDE, NotWhole, RunFile
from bot.domain.jobs.steps import ANSWERS, GONE
from bot.domain.living import Subject
from bot.domain.metrics.files import FileKind
from bot.domain.notice import Priority
from storage.living import SqlLiving
from storage.mapping import columns_of, value_of
from storage.shelf import Query, Shelf, any_of, for_change, given
from storage.tables import ClaimRow, JobOutputRow, JobRow, LeaseRow, RunFileRow

_ANSWERS: Final = sorted(ANSWERS)
_ANSWERS_OR_GONE: Final = sorted(ANSWERS | GONE)


_OF_ID: Final = select(JobRow).where(col(JobRow.id) == given("its_id"))
_GET: Final = Query(Job, JobRow, _OF_ID)
_LOCK: Final = Query(Job, JobRow, for_change(_OF_ID))
_VERSION: Final = select(JobRow.version).where(col(JobRow.id) == given("its_id"))
_FOLLOWED_OF: Final = Query(
    Job,
    JobRow,
    select(JobRow)
    .where(col(JobRow.lease_id).in_(any_of("leases")), col(JobRow.is_followed))
    .order_by(col(JobRow.number)),
)


class SqlJobs(Shelf):
    """Jobs in the database, each with its living message in the thread of its lease's card."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, job: Job) -> Job:
        """Store a new one with the next number of its lease, and its living message. The lease is to be locked."""
        last = self._session.exec(select(func.max(JobRow.number)).where(col(JobRow.lease_id) == job.lease_id)).one()
        job = job.noted(number=(last or 0) + 1)
        channel = self._session.exec(select(LeaseRow.channel).where(col(LeaseRow.id) == job.lease_id)).one()
        self._store(JobRow, _columns(job))
        self._living.add(Subject.JOB, job.id, channel, job.lease_id, Priority.STATE)
        self._living.touch(Subject.LEASE, job.lease_id, Priority.STATE)
        return job

    def get(self, job_id: str) -> Job | None:
        """Read it, for looking only."""
        return self._found_first(_GET, its_id=job_id)

    def lock(self, job_id: str) -> Job | None:
        """Read it for change."""
        return self._found_first(_LOCK, its_id=job_id)

    def save(self, job: Job) -> None:
        """Write it back; where people see a difference, its message and its lease's card are behind now."""
        version = self._ask(_VERSION, {"its_id": job.id}).scalar_one()
        self._write(JobRow, job.id, _columns(job))
        if job.version > version:
            self._living.touch(Subject.JOB, job.id, Priority.STATE)
            self._living.touch(Subject.LEASE, job.lease_id, Priority.STATE)

    def live_of(self, lease_id: str) -> tuple[Job, ...]:
        """Those of a lease that may still run, by number."""
        return tuple(job for job in self.followed(lease_id) if job.is_live)

    def live_of_each(self, lease_ids: Iterable[str]) -> dict[str, tuple[Job, ...]]:
        """As `live_of`, per lease; one without such a job is no key."""
        found: dict[str, tuple[Job, ...]] = {}
        for job in self._found(_FOLLOWED_OF, leases=list(lease_ids)):
            if job.is_live:
                found[job.lease_id] = (*found.get(job.lease_id, ()), job)
        return found

    def followed(self, lease_id: str) -> tuple[Job, ...]:
        """Those of a lease that may still run or have output that was not taken yet, by number."""
        return tuple(self._found(_FOLLOWED_OF, leases=[lease_id]))

    def of(self, lease_id: str, limit: int) -> tuple[Job, ...]:
        """A lease's jobs, newest first."""
        query = select(JobRow).where(col(JobRow.lease_id) == lease_id).order_by(col(JobRow.number).desc())
        return tuple(value_of(Job, row) for row in self._all(query.limit(limit)))

    def latest(self, owner: str, limit: int) -> tuple[Job, ...]:
        """Somebody's jobs on whatever lease, newest first."""
        query = select(JobRow).where(col(JobRow.owner) == owner)
        rows = self._all(query.order_by(col(JobRow.requested_at).desc(), col(JobRow.id).desc()).limit(limit))
        return tuple(value_of(Job, row) for row in rows)

    def last_ended_at(self, lease_id: str) -> datetime | None:
        """When one of a lease's jobs ended last that had begun; None: none yet."""
        begun = and_(col(JobRow.lease_id) == lease_id, col(JobRow.started_at).is_not(None))
        found: datetime | None = self._first(select(func.max(JobRow.ended_at)).where(begun))
        return found

    def by_number(self, lease_id: str, number: int) -> Job | None:
        """The one that people call ``name/number``."""
        row = self._first(select(JobRow).where(col(JobRow.lease_id) == lease_id, col(JobRow.number) == number))
        return None if row is None else value_of(Job, row)

    def due(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of leases with a job that needs a step now and that nobody holds, longest overdue first."""
        is_held = exists().where(
            col(ClaimRow.thing) == col(JobRow.lease_id), col(ClaimRow.duty) == Duty.JOB, col(ClaimRow.expires_at) > now
        )
        state = col(LeaseRow.state)
        query = (
            select(JobRow.lease_id)
            .join(LeaseRow, col(LeaseRow.id) == col(JobRow.lease_id))
            .where(
                col(JobRow.is_followed),
                or_(col(JobRow.next_look_at).is_(None), col(JobRow.next_look_at) <= now),
                or_(and_(col(JobRow.is_live), state.in_(_ANSWERS_OR_GONE)), state.in_(_ANSWERS)),
                ~is_held,
            )
            .group_by(col(JobRow.lease_id))
            .order_by(func.min(col(JobRow.next_look_at)).nulls_first(), col(JobRow.lease_id))
            .limit(limit)
        )
        return tuple(self._all(query))

    def to_judge(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Ids of jobs whose curves are to be judged now, longest overdue first."""
        query = select(JobRow.id).where(col(JobRow.judge_at).is_not(None), col(JobRow.judge_at) <= now)
        return tuple(self._all(query.order_by(col(JobRow.judge_at), col(JobRow.id)).limit(limit)))

    def ask_waiting(self, job_id: str, now: datetime) -> None:
        """Make those due that wait for that job to end."""
        waits = (col(JobRow.after_id) == job_id, col(JobRow.state) == JobState.REQUESTED)
        self._run(update(JobRow).where(*waits).values(next_look_at=now))

    def output(self, job_id: str) -> JobOutput:
        """What was read of its output; nothing yet is an empty one."""
        row = self._first(select(JobOutputRow).where(col(JobOutputRow.job_id) == job_id))
        return JobOutput(job_id) if row is None else value_of(JobOutput, row)

    def save_output(self, output: JobOutput) -> None:
        """Write it."""
        columns = columns_of(output)
        insert = self._insert(JobOutputRow, columns)
        told = {name: value for name, value in columns.items() if name != "job_id"}
        self._run(insert.on_conflict_do_update(index_elements=[col(JobOutputRow.job_id)], set_=told))

    def files(self, job_id: str) -> tuple[RunFile, ...]:
        """Those beside its output, by name."""
        query = select(RunFileRow).where(col(RunFileRow.job_id) == job_id).order_by(col(RunFileRow.source))
        return tuple(value_of(RunFile, row) for row in self._all(query))

    def not_whole(self, job_id: str) -> tuple[NotWhole, ...]:
        """Those beside its output that were not read, or not all of them, by name; none that was set aside."""
        row = RunFileRow
        is_cut = and_(col(row.kind) == FileKind.DOCUMENT, col(row.offset_bytes) > 0)
        is_left_out = or_(col(row.trouble).not_in(("", SET_ASIDE)), is_cut)
        query: Any = select(row.source, row.size_bytes, row.offset_bytes, row.trouble)
        query = query.where(col(row.job_id) == job_id, is_left_out).order_by(col(row.source))
        return tuple(NotWhole(*found) for found in self._session.exec(query))

    def save_file(self, file: RunFile) -> None:
        """Write it."""
        columns = columns_of(file)
        keys = [col(RunFileRow.job_id), col(RunFileRow.source)]
        self._run(self._insert(RunFileRow, columns).on_conflict_do_update(index_elements=keys, set_=columns))


def _columns(job: Job) -> dict[str, Any]:
    return {**columns_of(job), "is_live": job.is_live, "is_followed": job.is_live or job.has_more_to_read}
