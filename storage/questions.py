"""The store of questions."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import and_, func, or_, update
from sqlmodel import Session, col, select

from bot.domain.answering import ANSWERABLE
from bot.domain.disk import DiskState
from bot.domain.living import Subject
from bot.domain.notice import Priority
from bot.domain.places import MessageRef
from bot.domain.question import Question, QuestionState
from storage.living import SqlLiving
from storage.mapping import columns_of
from storage.shelf import Query, Shelf, any_of, for_change, given
from storage.tables import DiskRow, LeaseRow, QuestionRow

_OF_MACHINE: Final = col(QuestionRow.disk_id).is_(None)
_NEWEST_FIRST: Final = select(QuestionRow).order_by(col(QuestionRow.number).desc())
_OLDEST_FIRST: Final = select(QuestionRow).order_by(col(QuestionRow.number))
_OF_ID: Final = select(QuestionRow).where(col(QuestionRow.id) == given("its_id"))
_NEWEST: Final = select(func.max(QuestionRow.number)).where(
    col(QuestionRow.lease_id).in_(any_of("leases")), _OF_MACHINE
)
_LATEST_OF: Final = Query(
    Question,
    QuestionRow,
    select(QuestionRow).where(col(QuestionRow.number).in_(_NEWEST.group_by(col(QuestionRow.lease_id)))),
)
_GET: Final = Query(Question, QuestionRow, _OF_ID)
_LOCK: Final = Query(Question, QuestionRow, for_change(_OF_ID))
_OF: Final = Query(Question, QuestionRow, _NEWEST_FIRST.where(col(QuestionRow.lease_id) == given("lease")))
_LATEST: Final = Query(
    Question, QuestionRow, _NEWEST_FIRST.where(col(QuestionRow.lease_id) == given("lease"), _OF_MACHINE).limit(1)
)
_LATEST_OF_DISK: Final = Query(
    Question, QuestionRow, _NEWEST_FIRST.where(col(QuestionRow.disk_id) == given("disk")).limit(1)
)
_OPEN: Final = Query(
    Question, QuestionRow, _OLDEST_FIRST.where(col(QuestionRow.state) == QuestionState.OPEN, _OF_MACHINE)
)
_LOOKING: Final = (
    select(QuestionRow.lease_id)
    .where(col(QuestionRow.state) == QuestionState.LOOKING)
    .order_by(col(QuestionRow.number))
    .limit(given("limit"))
)
_OF_LIVE: Final = col(QuestionRow.lease_id).in_(select(LeaseRow.id).where(col(LeaseRow.is_live)))
_OF_KEPT: Final = col(QuestionRow.disk_id).in_(select(DiskRow.id).where(col(DiskRow.state) == DiskState.KEPT))
_ANSWERABLE: Final = Query(
    Question,
    QuestionRow,
    _OLDEST_FIRST.where(col(QuestionRow.state).in_(sorted(ANSWERABLE)), or_(and_(_OF_MACHINE, _OF_LIVE), _OF_KEPT)),
)


class SqlQuestions(Shelf):
    """Questions in the database; each that was ever open has its living message in the thread of its lease's card."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, question: Question) -> None:
        """Store a new one; the database refuses a second open one about the same."""
        self._store(QuestionRow, columns_of(question))
        self._put_to_people(question)
        self._touch_card(question)

    def get(self, question_id: str) -> Question | None:
        """Read it, for looking only."""
        return self._found_first(_GET, its_id=question_id)

    def lock(self, question_id: str) -> Question | None:
        """Read it for change."""
        return self._found_first(_LOCK, its_id=question_id)

    def latest(self, lease_id: str) -> Question | None:
        """The newest about a lease's machine, whatever its state."""
        return self._found_first(_LATEST, lease=lease_id)

    def latest_of_disk(self, disk_id: str) -> Question | None:
        """The newest about a kept disk, whatever its state."""
        return self._found_first(_LATEST_OF_DISK, disk=disk_id)

    def latest_of(self, lease_ids: Iterable[str]) -> dict[str, Question]:
        """As `latest`, of each of these leases; one that has none is no key."""
        return {question.lease_id: question for question in self._found(_LATEST_OF, leases=list(lease_ids))}

    def save(self, question: Question) -> None:
        """Write it back; its message and its lease's card are behind now."""
        self._write(QuestionRow, question.id, columns_of(question))
        self._put_to_people(question)
        self._living.touch(Subject.QUESTION, question.id, Priority.PERSON)
        self._touch_card(question)

    def open(self) -> tuple[Question, ...]:
        """Those about machines that wait for an answer, oldest first."""
        return tuple(self._found(_OPEN))

    def looking(self, limit: int) -> tuple[str, ...]:
        """Ids of leases with a question that is being prepared, oldest first."""
        return tuple(self._ask(_LOOKING, {"limit": limit}).scalars())

    def answerable(self) -> tuple[Question, ...]:
        """Those about live leases and kept disks that are out and may still be answered or have their answer taken
        back, oldest first."""
        return tuple(self._found(_ANSWERABLE))

    def of(self, lease_id: str) -> tuple[Question, ...]:
        """All of a lease, those about a disk that its machine had last too, newest first."""
        return tuple(self._found(_OF, lease=lease_id))

    def signs_read(self, question_id: str, at: datetime) -> None:
        """The reactions under it were read; nothing that its message shows."""
        self._run(update(QuestionRow).where(col(QuestionRow.id) == question_id).values(signs_read_at=at))

    def at(self, message: MessageRef) -> str | None:
        """Id of the question that a message shows."""
        return self._living.subject_at(Subject.QUESTION, message)

    def _put_to_people(self, question: Question) -> None:
        if question.state is not QuestionState.OPEN or self._living.get(Subject.QUESTION, question.id) is not None:
            return
        channel = self._session.exec(select(LeaseRow.channel).where(col(LeaseRow.id) == question.lease_id)).one()
        self._living.add(Subject.QUESTION, question.id, channel, question.lease_id, Priority.PERSON)

    def _touch_card(self, question: Question) -> None:
        if question.disk_id is None:
            self._living.touch(Subject.LEASE, question.lease_id, Priority.STATE)
