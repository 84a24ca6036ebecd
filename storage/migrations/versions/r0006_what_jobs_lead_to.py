"""What jobs lead to and wait for, what is judged of them, and people's secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Columns of jobs and questions, two indexes, and the table of secrets."""
    op.create_table(
        "secrets",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner", "name", name=op.f("pk_secrets")),
    )
    op.add_column("questions", sa.Column("after_job", sa.String(), nullable=True))
    for name in ("then", "after_id", "after_name", "sealed_secrets"):
        op.add_column("jobs", sa.Column(name, sa.String(), nullable=True))
    for name in ("next_sync_at", "judge_at"):
        op.add_column("jobs", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.add_column("jobs", sa.Column("every_s", sa.Integer(), nullable=True))
    for name in ("free_at_start_bytes", "free_bytes"):
        op.add_column("jobs", sa.Column(name, sa.BigInteger(), nullable=True))
    for name, column, where in (
        ("ix_jobs_judge_at", "judge_at", "judge_at IS NOT NULL"),
        ("ix_jobs_after_id", "after_id", "after_id IS NOT NULL AND state = 'requested'"),
    ):
        op.create_index(
            name, "jobs", [column], unique=False, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
        )
