"""Who asks a question and when its answers count; the list of what it was about; rows that nobody may change."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
KEPT = ("audit", "looks", "listings")


def upgrade() -> None:
    """The columns, the lists, and triggers that keep what is on record as it is."""
    op.add_column("questions", sa.Column("cause", sa.String(), nullable=True))
    for name in ("owner_first_until", "signed_at", "signs_read_at"):
        op.add_column("questions", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "listings",
        sa.Column("question_id", sa.String(), nullable=False),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("is_whole", sa.Boolean(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_listings_question_id_questions")),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_listings")),
    )
    if op.get_bind().dialect.name == "postgresql":
        _guard_on_postgresql()
    else:
        _guard_on_sqlite()


def _guard_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION gpubot_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in KEPT:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION gpubot_refuse()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_not_emptied BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION gpubot_refuse()"
        )


def _guard_on_sqlite() -> None:
    for table in KEPT:
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
