"""What has ended costs nothing: the queries of every round go by the indexes of what is left to do."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event, text
from sqlmodel import Session

from bot.domain.lease import LeaseState
from bot.domain.living import Subject
from bot.domain.notice import Priority
from storage.engines import open_engine, parse_url
from storage.schema import migrate
from storage.store import SqlStore, SqlTx
from storage.tables import LeaseRow, LivingRow, NoticeRow
from tests.storage.samples import NOON, at, lease, notice, show_card

ENDED = 10_000
_COPIES = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
    INSERT INTO {table} ({columns}) SELECT {values} FROM {table}, n WHERE {where}
"""


def multiply(connection: Connection, row: Any, where: str, **changed: str) -> None:
    """Copy the one row that fits ``where`` ten thousand times."""
    table = row.__tablename__
    values = {f'"{column}"': changed.get(column, f'"{column}"') for column in row.__table__.columns.keys()}  # noqa: SIM118
    for serial in ('"id"', '"number"'):
        if values.get(serial) == serial:
            del values[serial]
    statement = _COPIES.format(
        count=ENDED, table=table, columns=", ".join(values), values=", ".join(values.values()), where=where
    )
    connection.execute(text(statement))


@pytest.fixture
def crowded(empty_url: str) -> Iterator[Connection]:
    """Five leases, notices and cards to care for among ten thousand of each that are done."""
    migrate(empty_url)
    with closing(SqlStore(empty_url)) as store, store.transaction() as tx:
        tx.leases.add(lease("done", "done").moved(LeaseState.FAILED, at(1)))
        show_card(tx, "done")
        tx.outbox.put(notice("done"), NOON)
        tx.outbox.said(tx.outbox.due(NOON, 1)[0].id, NOON)
        for number in range(5):
            tx.leases.add(lease(f"l{number}", f"name-{number}", next_look_at=at(-number)))
            tx.outbox.put(notice(f"o{number}"), NOON)
    engine = open_engine(parse_url(empty_url))
    with engine.begin() as connection:
        multiply(connection, LeaseRow, "id = 'done'", id="'d' || i", name="'n' || (i % 500)")
        multiply(connection, NoticeRow, "occasion = 'done'", occasion="'d' || i")
        multiply(connection, LivingRow, "subject_id = 'done'", subject_id="'d' || i", message="'C1/' || i", turn="i")
        connection.execute(text("ANALYZE"))
        yield connection
    engine.dispose()


@contextmanager
def watched(connection: Connection) -> Iterator[list[tuple[str, Any]]]:
    """The statements that run meanwhile."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        seen.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    yield seen
    event.remove(connection, "before_cursor_execute", note)


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (lambda tx: tx.leases.due(NOON, 64), "_live"),
        (lambda tx: tx.leases.live(), "_live"),
        (lambda tx: tx.leases.by_name("name-1"), "ix_leases_name"),
        (lambda tx: tx.outbox.due(NOON, 64), "ix_notices_priority_waiting"),
        (lambda tx: tx.living.due(NOON, 64), "ix_living_messages_priority_behind"),
        (lambda tx: tx.living.touch(Subject.LEASE, "l1", Priority.STATE), "ix_living_messages_turn"),
    ],
    ids=["leases.due", "leases.live", "leases.by_name", "outbox.due", "living.due", "living.touch"],
)
def test_the_plan_goes_by_an_index(crowded: Connection, ask: Callable[[SqlTx], Any], index: str) -> None:
    with Session(crowded) as session, watched(crowded) as statements:
        ask(SqlTx(session))
        [(statement, parameters)] = statements
        explain = "EXPLAIN QUERY PLAN " if crowded.dialect.name == "sqlite" else "EXPLAIN "
        plan = "\n".join(str(row) for row in crowded.exec_driver_sql(explain + statement, parameters))
    assert index in plan
    assert "Seq Scan" not in plan.replace("Seq Scan on claims", "")
