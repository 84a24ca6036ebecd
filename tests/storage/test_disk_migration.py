"""What disks kept of their questions before questions were about disks too, after the migration."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from alembic import command
from sqlalchemy import text

from bot.domain.disk_release import ClearDisk, decide_disk
from bot.domain.living import Subject
from bot.domain.on_disk import known_of
from bot.domain.places import MessageRef
from bot.domain.question import QuestionState
from storage import schema
from storage.engines import open_engine, parse_url
from storage.schema import migrate
from storage.store import SqlStore
from tests.storage.samples import NOON, lease

DISK = (
    "INSERT INTO disks (id, name, owner, team_id, channel, provider, region, size_gib, rate_microusd_per_hour, "
    "lease_id, state, since, volume_id, intervals, asked_by, asked_at, answered_by, answered_at) "
    "VALUES (:id, :id, 'U1', 'T1', 'C1', 'local', 'here', 1, 1, 'l1', :state, :at, 'vol', '[]', "
    ":asked_by, :asked_at, :answered_by, :asked_at)"
)
LIVING = (
    "INSERT INTO living_messages "
    "(subject, subject_id, channel, wanted, shown, priority, message, thread_of, attempts, turn) "
    "VALUES ('disk', :id, 'C1', 2, 2, 0, :message, 'l1', 0, :turn)"
)
STORED = (
    ("asked", "kept", "U2", None),
    ("begun", "deleting", "U2", "U1"),
    ("declined", "kept", None, None),
    ("new", "kept", None, None),
)


@pytest.fixture
def migrated(empty_url: str) -> Iterator[SqlStore]:
    """Four disks: asked about; answered yes, and begun; declined; never asked about."""
    engine = open_engine(parse_url(empty_url))
    with engine.begin() as connection:
        command.upgrade(schema._config(connection, []), "0010")
    store = SqlStore(empty_url)
    with store.transaction() as tx:
        tx.leases.add(lease())  # no later migration changes what this writes
    at = NOON if engine.dialect.name == "postgresql" else f"{NOON:%Y-%m-%d %H:%M:%S.%f}"
    with engine.begin() as connection:
        for turn, (name, state, asked_by, answered_by) in enumerate(STORED, start=2):
            row = {"id": name, "state": state, "at": at, "asked_by": asked_by, "answered_by": answered_by}
            connection.execute(text(DISK), {**row, "asked_at": at if asked_by else None})
            if name != "new":
                connection.execute(text(LIVING), {"id": name, "message": f"C1/{turn}.0", "turn": turn})
    engine.dispose()
    assert migrate(empty_url)[0] == "0011"
    yield store
    store.close()


def test_a_yes_without_a_look_covers_nothing_but_what_was_begun(migrated: SqlStore) -> None:
    with migrated.read() as tx:
        asked, begun = tx.questions.latest_of_disk("asked"), tx.questions.latest_of_disk("begun")
        assert asked is not None
        assert begun is not None
        assert (asked.state, asked.asked_by, asked.lease_id, asked.changes) == (
            QuestionState.SUPERSEDED,
            "U2",
            "l1",
            (),
        )
        assert (begun.state, begun.answered_by, begun.answered_at) == (QuestionState.YES, "U1", NOON)
        assert tx.questions.latest_of_disk("declined") is tx.questions.latest_of_disk("new") is None
        assert [disk.id for disk in tx.disks.live()] == ["asked", "begun", "declined", "new"]
        disk = tx.disks.get("begun")
        assert disk is not None
        shown, known = tx.looks.of(begun.id).shown, known_of(disk, tx.disks.look("begun"))
    assert isinstance(decide_disk(disk, begun, shown, known, NOON, timedelta(0)), ClearDisk), "it goes on"


def test_the_message_that_is_out_shows_it_on(migrated: SqlStore) -> None:
    with migrated.read() as tx:
        for name, message in (("asked", "2.0"), ("begun", "3.0")):
            living = tx.living.get(Subject.QUESTION, name)
            assert living is not None
            assert (living.message, living.wanted > living.shown) == (MessageRef("C1", message), True)
            assert tx.questions.at(MessageRef("C1", message)) == name
        assert tx.questions.at(MessageRef("C1", "4.0")) is None
