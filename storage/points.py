"""The store of points: upserted by x, thinned where a metric has too many; one source for each metric."""

from collections.abc import Sequence
from functools import cache
from math import isfinite
from typing import Any, Final

from sqlalchemy import ColumnElement, Executable, Select, and_, case, delete, func
from sqlalchemy import select as sql_select
from sqlmodel import col, select

from bot.domain.metrics import Point, XKind
from bot.domain.metrics.files import sources_of
from bot.domain.metrics.thinning import MOST_POINTS, thinned
from storage.columns import storable
from storage.shelf import Shelf, insert_into
from storage.tables import FilePointRow, PointRow

_AT_ONCE: Final = 400
"""Values a deletion: SQLite takes 32,766."""
_OUTPUT: Final = ""
_Curve = tuple[str, XKind]
_Table = type[PointRow] | type[FilePointRow]


class SqlPoints(Shelf):
    """Points in the database: of outputs in one table, of files in another."""

    def add(self, job_id: str, points: Sequence[Point]) -> None:
        """Store what its output said."""
        self._add(job_id, _OUTPUT, points)

    def add_from(self, job_id: str, source: str, points: Sequence[Point], *, replaces: bool) -> None:
        """Store what a file said."""
        added = self._add(job_id, source, points)
        if not replaces:
            return
        for metric, kind in self._curves(job_id, source):
            curve, kept = _of_curve(job_id, source, metric, kind), added.get((metric, kind), set())
            gone = [x for x in self._session.exec(select(FilePointRow.x).where(curve)) if x not in kept]
            for start in range(0, len(gone), _AT_ONCE):
                self._run(delete(FilePointRow).where(curve, col(FilePointRow.x).in_(gone[start : start + _AT_ONCE])))

    def of(self, job_id: str) -> dict[str, tuple[Point, ...]]:
        """All points per metric, in the order of x."""
        taken = self._taken(job_id)
        found: dict[str, tuple[Point, ...]] = {}
        for source in dict.fromkeys(taken.values()):
            table = _table(source)
            query = _points(table, _of_source(job_id, source))
            curves: dict[str, list[Point]] = {}
            for point in self._read(query.order_by(col(table.metric), col(table.x_kind).desc(), col(table.x))):
                curves.setdefault(point.metric, []).append(point)
            found |= {metric: _of_one_kind(points) for metric, points in curves.items() if taken.get(metric) == source}
        return {metric: found[metric] for metric in sorted(found)}

    def recent(self, job_id: str, limit: int) -> dict[str, tuple[Point, ...]]:
        """Per metric its first point and the latest ``limit``, in the order of x."""
        found: dict[str, tuple[Point, ...]] = {}
        taken = self._taken(job_id)
        kinds = {source: dict(sorted(self._curves(job_id, source))) for source in set(taken.values())}
        for metric, source in sorted(taken.items()):
            table, kind = _table(source), kinds[source][metric]  # steps, which sort last, hold over epochs
            query = _points(table, _of_curve(job_id, source, metric, kind))
            latest = self._read(query.order_by(col(table.x).desc()).limit(limit))
            first = self._read(query.order_by(col(table.x)).limit(1))
            found[metric] = tuple([point for point in first if point.x < latest[-1].x] + latest[::-1])
        return found

    def sources(self, job_id: str) -> dict[str, str]:
        """Metrics that are taken from a file, with its name."""
        return {metric: source for metric, source in self._taken(job_id).items() if source != _OUTPUT}

    def _taken(self, job_id: str) -> dict[str, str]:
        """Each metric with the source it is taken from."""
        printed = self._session.exec(
            select(PointRow.metric, PointRow.x_kind).where(col(PointRow.job_id) == job_id).distinct()
        ).all()
        if self._first(select(FilePointRow.source).where(col(FilePointRow.job_id) == job_id)) is None:
            return {metric: _OUTPUT for metric, _ in printed}
        counts: dict[str, list[tuple[str, XKind, int]]] = {}
        for table in (PointRow, FilePointRow):
            source = col(FilePointRow.source) if table is FilePointRow else None
            columns: Any = [col(table.metric), col(table.x_kind), func.count()]
            groups = [*columns[:2], *([source] if source is not None else [])]
            query: Any = select(*columns, *([source] if source is not None else []))
            for row in self._session.exec(query.where(col(table.job_id) == job_id).group_by(*groups)):
                counts.setdefault(row[3] if source is not None else _OUTPUT, []).append((row[0], row[1], row[2]))
        return sources_of(counts)

    def _curves(self, job_id: str, source: str) -> Sequence[_Curve]:
        table = _table(source)
        query: Any = select(table.metric, table.x_kind).where(_of_source(job_id, source)).distinct()
        return [(name, XKind(kind)) for name, kind in self._session.exec(query)]

    def _add(self, job_id: str, source: str, points: Sequence[Point]) -> dict[_Curve, set[float]]:
        """The x of each curve that were stored."""
        latest: dict[_Curve, dict[float, Point]] = {}
        for point in points:
            if isfinite(point.x):
                metric = storable(point.metric)
                latest.setdefault((metric, point.x_kind), {})[point.x] = point._replace(metric=metric)
        stored = {}
        for (metric, kind), by_x in latest.items():
            kept = thinned(tuple(by_x.values()))
            self._put(job_id, source, kept)
            self._thin(_table(source), _of_curve(job_id, source, metric, kind))
            stored[metric, kind] = {point.x for point in kept}
        return stored

    def _put(self, job_id: str, source: str, points: Sequence[Point]) -> None:
        whose = {"job_id": job_id} | ({"source": source} if source else {})
        if points:
            rows = [{**point._asdict(), **whose} for point in points]
            self._ask(_upsert(_table(source), self._dialect), rows)

    def _read(self, query: Select[*tuple[Any, ...]]) -> list[Point]:
        return [Point(*row) for row in self._ask(query)]

    def _thin(self, table: _Table, curve: ColumnElement[bool]) -> None:
        count = self._session.exec(select(func.count()).select_from(table).where(curve)).one()
        if count <= MOST_POINTS:
            return
        points = self._read(_points(table, curve))
        kept = {point.x for point in thinned(points, MOST_POINTS // 2)}
        gone = [point.x for point in points if point.x not in kept]
        for start in range(0, len(gone), _AT_ONCE):
            self._run(delete(table).where(curve, col(table.x).in_(gone[start : start + _AT_ONCE])))


def _table(source: str) -> _Table:
    return FilePointRow if source else PointRow


@cache
def _upsert(table: _Table, dialect: str) -> Executable:
    """One row a set of parameters: to put a statement together for many rows takes longer than to store them."""
    insert = insert_into(table, dialect)
    new = insert.excluded
    keys = ["job_id", "metric", "x_kind", "x"]
    at: Any = new.at
    if table is FilePointRow:  # a file is read again and again: a value is as old as when it was first there
        keys.append("source")
        at = case((col(table.value).is_not_distinct_from(new.value), col(table.at)), else_=new.at)
    return insert.on_conflict_do_update(index_elements=keys, set_={"value": new.value, "at": at})


def _points(table: _Table, where: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Points as plain rows: to map each of thousands takes longer than to read it."""
    columns: Any = [getattr(table, name) for name in Point._fields]
    return sql_select(*columns).where(where)


def _of_source(job_id: str, source: str) -> ColumnElement[bool]:
    if not source:
        return col(PointRow.job_id) == job_id
    return and_(col(FilePointRow.job_id) == job_id, col(FilePointRow.source) == source)


def _of_curve(job_id: str, source: str, metric: str, kind: XKind) -> ColumnElement[bool]:
    table = _table(source)
    return and_(_of_source(job_id, source), col(table.metric) == metric, col(table.x_kind) == kind)


def _of_one_kind(points: list[Point]) -> tuple[Point, ...]:
    """A metric that was first printed by epoch and then by step is drawn by step."""
    return tuple(point for point in points if point.x_kind is points[0].x_kind)
