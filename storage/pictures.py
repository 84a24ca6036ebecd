"""The store of pictures."""

from datetime import datetime

from sqlalchemy import and_, or_
from sqlmodel import col, select

from bot.domain.picture import Picture
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import JobRow, PictureRow
from storage.tables.jobs import PICTURE_BEHIND


class SqlPictures(Shelf):
    """Pictures in the database; a job without points has no row."""

    def due(self, now: datetime, drawn_before: datetime, limit: int) -> tuple[str, ...]:
        """Ids of jobs whose points are newer than their picture, or whose message lacks it; longest undrawn first."""
        drawn_at = col(PictureRow.drawn_at)
        next_try_at = col(PictureRow.next_try_at)
        has_new_points = col(PictureRow.drawn_points) < col(PictureRow.points)
        its_turn = or_(drawn_at.is_(None), drawn_at <= drawn_before, ~col(JobRow.is_live), col(PictureRow.wanted))
        may_be_tried = or_(col(PictureRow.attempts) == 0, next_try_at <= now)
        is_unshown = col(PictureRow.file_id) != col(PictureRow.shown_file_id)
        may_show = or_(next_try_at.is_(None), next_try_at <= now)
        query = (
            select(PictureRow.job_id)
            .join(JobRow, col(JobRow.id) == col(PictureRow.job_id))
            .where(PICTURE_BEHIND, or_(and_(has_new_points, its_turn, may_be_tried), and_(is_unshown, may_show)))
            .order_by(drawn_at.nulls_first(), col(PictureRow.job_id))
            .limit(limit)
        )
        return tuple(self._all(query))

    def get(self, job_id: str) -> Picture:
        """The picture; none yet is an empty one."""
        row = self._first(select(PictureRow).where(col(PictureRow.job_id) == job_id))
        return Picture(job_id) if row is None else value_of(Picture, row)

    def went_on(self, job_id: str) -> None:
        """There are new points."""
        insert = self._insert(PictureRow, columns_of(Picture(job_id, points=1)))
        more = {"points": col(PictureRow.points) + 1}
        self._run(insert.on_conflict_do_update(index_elements=[col(PictureRow.job_id)], set_=more))

    def ask(self, job_id: str) -> None:
        """Somebody wants to see it as it is now."""
        insert = self._insert(PictureRow, columns_of(Picture(job_id, wanted=True)))
        self._run(insert.on_conflict_do_update(index_elements=[col(PictureRow.job_id)], set_={"wanted": True}))

    def save(self, picture: Picture) -> None:
        """Write it, but for ``points``: more may have come meanwhile."""
        columns = columns_of(picture)
        insert = self._insert(PictureRow, columns)
        told = {name: value for name, value in columns.items() if name not in ("job_id", "points")}
        self._run(insert.on_conflict_do_update(index_elements=[col(PictureRow.job_id)], set_=told))
