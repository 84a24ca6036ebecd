"""The store of points: upserted by x, thinned where a metric has too many."""

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, delete, func
from sqlmodel import col, select

from bot.domain.metrics import Point, XKind
from bot.domain.metrics.thinning import MOST_POINTS, thinned
from storage.columns import storable
from storage.shelf import Shelf
from storage.tables import PointRow

_AT_ONCE: Final = 400
"""Rows a statement: SQLite takes 32,766 values."""
_WHOLE: Final = (PointRow.job_id, PointRow.metric, PointRow.x_kind, PointRow.x)


class SqlPoints(Shelf):
    """Points in the database."""

    def add(self, job_id: str, points: Sequence[Point]) -> None:
        """Store them; of two of the same metric, kind and x the later one holds. An x that is no number is dropped."""
        latest: dict[tuple[str, XKind], dict[float, Point]] = {}
        for point in points:
            if isfinite(point.x):
                metric = storable(point.metric)
                latest.setdefault((metric, point.x_kind), {})[point.x] = point._replace(metric=metric)
        for (metric, kind), by_x in latest.items():
            self._put(job_id, thinned(tuple(by_x.values())))
            self._thin(_curve(job_id, metric, kind))

    def of(self, job_id: str) -> dict[str, tuple[Point, ...]]:
        """All points per metric, in the order of x."""
        rows = self._all(
            select(PointRow)
            .where(col(PointRow.job_id) == job_id)
            .order_by(col(PointRow.metric), col(PointRow.x_kind).desc(), col(PointRow.x))
        )
        found: dict[str, list[Point]] = {}
        for row in rows:
            found.setdefault(row.metric, []).append(_point(row))
        return {metric: _of_one_kind(points) for metric, points in found.items()}

    def recent(self, job_id: str, limit: int) -> dict[str, tuple[Point, ...]]:
        """Per metric its first point and the latest ``limit``, in the order of x."""
        kinds = select(PointRow.metric, PointRow.x_kind).where(col(PointRow.job_id) == job_id).distinct()
        found: dict[str, tuple[Point, ...]] = {}
        for metric, kind in sorted(
            (metric, XKind(kind)) for metric, kind in self._session.exec(kinds).all()
        ):  # steps after epochs: steps hold
            query = select(PointRow).where(_curve(job_id, metric, kind))
            latest = [_point(row) for row in self._all(query.order_by(col(PointRow.x).desc()).limit(limit))]
            first = [_point(row) for row in self._all(query.order_by(col(PointRow.x)).limit(1))]
            found[metric] = tuple([point for point in first if point.x < latest[-1].x] + latest[::-1])
        return found

    def _put(self, job_id: str, points: Sequence[Point]) -> None:
        for start in range(0, len(points), _AT_ONCE):
            rows = [{**point._asdict(), "job_id": job_id} for point in points[start : start + _AT_ONCE]]
            insert = self._insert_all(PointRow, rows)
            self._run(
                insert.on_conflict_do_update(
                    index_elements=[col(column) for column in _WHOLE],
                    set_={"value": insert.excluded.value, "at": insert.excluded.at},
                )
            )

    def _thin(self, curve: ColumnElement[bool]) -> None:
        count = self._session.exec(select(func.count()).select_from(PointRow).where(curve)).one()
        if count <= MOST_POINTS:
            return
        points = [_point(row) for row in self._all(select(PointRow).where(curve))]
        kept = {point.x for point in thinned(points, MOST_POINTS // 2)}
        gone = [point.x for point in points if point.x not in kept]
        for start in range(0, len(gone), _AT_ONCE):
            self._run(delete(PointRow).where(curve, col(PointRow.x).in_(gone[start : start + _AT_ONCE])))


def _curve(job_id: str, metric: str, kind: XKind) -> ColumnElement[bool]:
    return and_(col(PointRow.job_id) == job_id, col(PointRow.metric) == metric, col(PointRow.x_kind) == kind)


def _of_one_kind(points: list[Point]) -> tuple[Point, ...]:
    """A metric that was first printed by epoch and then by step is drawn by step."""
    return tuple(point for point in points if point.x_kind is points[0].x_kind)


def _point(row: Any) -> Point:
    return Point(row.metric, row.x, row.x_kind, row.value, row.at)
