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
from storage.mapping import columns_of, value_of
from storage.shelf import Query, Shelf, any_of
from storage.tables import DiskRow, LeaseRow, QuestionRow

_OF_MACHINE: Final = col(QuestionRow.disk_id).is_(None)
_NEWEST: Final = select(func.max(QuestionRow.number)).where(
    col(QuestionRow.lease_id).in_(any_of("leases")), _OF_MACHINE
)
_LATEST_OF: Final = Query(
    Question,
    QuestionRow,
    select(QuestionRow).where(col(QuestionRow.number).in_(_NEWEST.group_by(col(QuestionRow.lease_id)))),
)


class SqlQuestions(Shelf):
    """Questions in the database; each that was ever open has its living message in the thread of its lease's card."""

    def __init__(self, session: Session, living: SqlLiving) -> None:
        super().__init__(session)
        self._living = living

    def add(self, question: Question) -> None:
        """Store a new one; the database refuses a second open one about the same."""
        self._run(self._insert(QuestionRow, columns_of(question)))
        self._put_to_people(question)
        self._touch_card(question)

    def get(self, question_id: str) -> Question | None:
        """Read it, for looking only."""
        row = self._first(select(QuestionRow).where(col(QuestionRow.id) == question_id))
        return None if row is None else value_of(Question, row)

    def lock(self, question_id: str) -> Question | None:
        """Read it for change."""
        row = self._locked(select(QuestionRow).where(col(QuestionRow.id) == question_id))
        return None if row is None else value_of(Question, row)

    def latest(self, lease_id: str) -> Question | None:
        """The newest about a lease's machine, whatever its state."""
        query = select(QuestionRow).where(col(QuestionRow.lease_id) == lease_id, _OF_MACHINE)
        row = self._first(query.order_by(col(QuestionRow.number).desc()))
        return None if row is None else value_of(Question, row)

    def latest_of_disk(self, disk_id: str) -> Question | None:
        """The newest about a kept disk, whatever its state."""
        query = select(QuestionRow).where(col(QuestionRow.disk_id) == disk_id)
        row = self._first(query.order_by(col(QuestionRow.number).desc()))
        return None if row is None else value_of(Question, row)

    def latest_of(self, lease_ids: Iterable[str]) -> dict[str, Question]:
        """As `latest`, of each of these leases; one that has none is no key."""
        return {question.lease_id: question for question in self._found(_LATEST_OF, leases=list(lease_ids))}

    def save(self, question: Question) -> None:
        """Write it back; its message and its lease's card are behind now."""
        self._run(update(QuestionRow).where(col(QuestionRow.id) == question.id).values(columns_of(question)))
        self._put_to_people(question)
        self._living.touch(Subject.QUESTION, question.id, Priority.PERSON)
        self._touch_card(question)

    def open(self) -> tuple[Question, ...]:
        """Those about machines that wait for an answer, oldest first."""
        query = select(QuestionRow).where(col(QuestionRow.state) == QuestionState.OPEN, _OF_MACHINE)
        return tuple(value_of(Question, row) for row in self._all(query.order_by(col(QuestionRow.number))))

    def looking(self, limit: int) -> tuple[str, ...]:
        """Ids of leases with a question that is being prepared, oldest first."""
        query = select(QuestionRow).where(col(QuestionRow.state) == QuestionState.LOOKING)
        return tuple(row.lease_id for row in self._all(query.order_by(col(QuestionRow.number)).limit(limit)))

    def answerable(self) -> tuple[Question, ...]:
        """Those about live leases and kept disks that are out and may still be answered or have their answer taken
        back, oldest first."""
        live = select(LeaseRow.id).where(col(LeaseRow.is_live))
        kept = select(DiskRow.id).where(col(DiskRow.state) == DiskState.KEPT)
        is_there = or_(and_(_OF_MACHINE, col(QuestionRow.lease_id).in_(live)), col(QuestionRow.disk_id).in_(kept))
        query = select(QuestionRow).where(col(QuestionRow.state).in_(list(ANSWERABLE)), is_there)
        return tuple(value_of(Question, row) for row in self._all(query.order_by(col(QuestionRow.number))))

    def of(self, lease_id: str) -> tuple[Question, ...]:
        """All of a lease, those about a disk that its machine had last too, newest first."""
        query = select(QuestionRow).where(col(QuestionRow.lease_id) == lease_id)
        return tuple(value_of(Question, row) for row in self._all(query.order_by(col(QuestionRow.number).desc())))

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
