"""Trainers' files beside jobs' outputs, the points in them, and wishes for pictures."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Three tables, and two columns of jobs."""
    op.add_column("jobs", sa.Column("find_files_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("jobs", sa.Column("unread_files", sa.Integer(), nullable=True))
    op.create_table(
        "run_files",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("inode", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("offset_bytes", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("read_version", sa.String(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("starts_anew", sa.Boolean(), nullable=False),
        sa.Column("is_finished", sa.Boolean(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_run_files_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", "source", name=op.f("pk_run_files")),
    )
    op.create_table(
        "file_points",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("x_kind", sa.String(), nullable=False),
        sa.Column("x", sa.Float(53), nullable=False),
        sa.Column("value", sa.Float(53), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_file_points_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", "source", "metric", "x_kind", "x", name=op.f("pk_file_points")),
    )
    texts = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
    op.create_table(
        "curve_wishes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("job_ids", texts, nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("metrics", texts, nullable=False),
        sa.Column("is_log", sa.Boolean(), nullable=False),
        sa.Column("last_s", sa.Integer(), nullable=True),
        sa.Column("told", sa.String(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_curve_wishes")),
    )
    op.create_index(
        "ix_curve_wishes_asked_at_open",
        "curve_wishes",
        ["asked_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
