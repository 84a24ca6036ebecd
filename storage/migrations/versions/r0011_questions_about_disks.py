"""Questions are about machines or about kept disks; looks at what lies on a disk; wishes for whole lists."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
GONE = ("asked_by", "asked_at", "answered_by", "answered_at")
ON_SQLITE = (
    "CREATE TRIGGER disk_looks_no_{name} BEFORE {act} ON disk_looks "
    "BEGIN SELECT RAISE(ABORT, 'disk_looks is append-only'); END"
)
ON_POSTGRESQL = (
    "CREATE TRIGGER disk_looks_append_only BEFORE UPDATE OR DELETE ON disk_looks "
    "FOR EACH ROW EXECUTE FUNCTION gpubot_refuse()",
    "CREATE TRIGGER disk_looks_not_emptied BEFORE TRUNCATE ON disk_looks "
    "FOR EACH STATEMENT EXECUTE FUNCTION gpubot_refuse()",
)


def upgrade() -> None:
    """What disks kept of their questions becomes questions of the one kind."""
    op.add_column("questions", sa.Column("disk_id", sa.String(), nullable=True))
    op.drop_index("uq_questions_lease_id_open", table_name="questions")
    _unique("uq_questions_lease_id_open", "lease_id", "state IN ('looking', 'open') AND disk_id IS NULL")
    _move_questions()
    _unique("uq_questions_disk_id_open", "disk_id", "state IN ('open', 'yes') AND disk_id IS NOT NULL")
    for name in GONE:
        op.drop_column("disks", name)
    op.create_table(
        "disk_looks",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("disk_id", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("why_unknown", sa.String(), nullable=True),
        sa.Column("told", sa.LargeBinary(), nullable=False),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("listed_files", sa.BigInteger(), nullable=True),
        sa.Column("listed_is_whole", sa.Boolean(), nullable=True),
        sa.Column("listed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["disk_id"], ["disks.id"], name=op.f("fk_disk_looks_disk_id_disks")),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_disk_looks_lease_id_leases")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_disk_looks")),
    )
    _list_wishes()
    op.create_index(op.f("ix_disk_looks_disk_id"), "disk_looks", ["disk_id"], unique=False)
    if op.get_bind().dialect.name == "postgresql":
        for statement in ON_POSTGRESQL:
            op.execute(statement)
    else:
        for act in ("UPDATE", "DELETE"):
            op.execute(ON_SQLITE.format(name=act.lower(), act=act))


def _list_wishes() -> None:
    op.create_table(
        "list_wishes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("question_id", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told", sa.String(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_list_wishes_question_id_questions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_list_wishes")),
    )
    is_open = sa.text("ended_at IS NULL")
    op.create_index(
        "ix_list_wishes_asked_at_open",
        "list_wishes",
        ["asked_at"],
        unique=False,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )


def _unique(name: str, column: str, where: str) -> None:
    op.create_index(
        name, "questions", [column], unique=True, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
    )


def _move_questions() -> None:
    """With the disk's own id, so that the message that is out shows it on. One that showed no look covers nothing: it
    is over, but for a deletion that was begun."""
    nothing = "CAST('[]' AS JSONB)" if op.get_bind().dialect.name == "postgresql" else "'[]'"
    op.execute(
        "INSERT INTO questions "  # noqa: S608  both words are above
        "(id, lease_id, disk_id, asked_by, asked_at, state, answered_by, answered_at, fingerprint, changes) "
        "SELECT id, lease_id, id, asked_by, asked_at, "
        "CASE WHEN state IN ('deleting', 'deleted') AND answered_by IS NOT NULL THEN 'yes' ELSE 'superseded' END, "
        f"answered_by, answered_at, '', {nothing} FROM disks WHERE asked_at IS NOT NULL AND asked_by IS NOT NULL"
    )
    op.execute(
        "UPDATE living_messages SET subject = 'question', wanted = wanted + 1 WHERE subject = 'disk' "
        "AND subject_id IN (SELECT id FROM questions WHERE disk_id IS NOT NULL)"
    )
    op.execute("DELETE FROM living_messages WHERE subject = 'disk'")
