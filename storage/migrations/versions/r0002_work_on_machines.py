"""What people do with machines: use, checks, jobs and their curves, and their data."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """What people do with machines."""
    use_and_checks()
    jobs_and_curves()
    peoples_data()


def use_and_checks() -> None:
    """How machines are used, checklists that were asked for, and where people are in their day."""
    op.create_table(
        "people",
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("tz", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user", name=op.f("pk_people")),
    )
    op.create_table(
        "activities",
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("next_look_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("use", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("idle_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("quiet_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("busy_s", sa.Float(), nullable=False),
        sa.Column("idle_s", sa.Float(), nullable=False),
        sa.Column("unknown_s", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_activities_lease_id_leases")),
        sa.PrimaryKeyConstraint("lease_id", name=op.f("pk_activities")),
    )
    op.create_table(
        "use_samples",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("use", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_use_samples_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_use_samples")),
    )
    with op.batch_alter_table("use_samples", schema=None) as batch_op:
        batch_op.create_index("ix_use_samples_lease_id_at", ["lease_id", "at"], unique=False)

    op.create_table(
        "checks",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_checks_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checks")),
    )
    with op.batch_alter_table("checks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_checks_lease_id"), ["lease_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_checks_done_at"), ["done_at"], unique=False)


def jobs_and_curves() -> None:
    """Jobs, what was read of their output, the points in it, and their pictures."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("command", sa.String(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("state_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("directory", sa.String(), nullable=True),
        sa.Column("env_names", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("sealed_env", sa.String(), nullable=False),
        sa.Column("git", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("max_s", sa.Integer(), nullable=True),
        sa.Column("kill_wanted_by", sa.String(), nullable=True),
        sa.Column("kill_sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ran_s", sa.Float(), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cwd", sa.String(), nullable=False),
        sa.Column("commit", sa.String(), nullable=False),
        sa.Column("offset_bytes", sa.BigInteger(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("ending", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("problem", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_look_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("script", sa.String(), nullable=False),
        sa.Column("is_live", sa.Boolean(), nullable=False),
        sa.Column("is_followed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_jobs_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("lease_id", "number", name=op.f("uq_jobs_lease_id_number")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(
            "ix_jobs_lease_id_followed",
            ["lease_id", "next_look_at"],
            unique=False,
            postgresql_where=sa.text("is_followed"),
            sqlite_where=sa.text("is_followed = 1"),
        )

    op.create_table(
        "job_outputs",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("output_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_finished", sa.Boolean(), nullable=False),
        sa.Column("tail", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_outputs_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_outputs")),
    )
    op.create_table(
        "points",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("x_kind", sa.String(), nullable=False),
        sa.Column("x", sa.Float(53), nullable=False),
        sa.Column("value", sa.Float(53), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_points_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", "metric", "x_kind", "x", name=op.f("pk_points")),
    )
    op.create_table(
        "pictures",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("drawn_points", sa.Integer(), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("file_id", sa.String(), nullable=False),
        sa.Column("shown_file_id", sa.String(), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("shown", sa.String(), nullable=False),
        sa.Column("milestone", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_pictures_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_pictures")),
    )
    with op.batch_alter_table("pictures", schema=None) as batch_op:
        batch_op.create_index(
            "ix_pictures_drawn_at_behind",
            ["drawn_at"],
            unique=False,
            sqlite_where=sa.text("drawn_points < points OR file_id <> shown_file_id"),
            postgresql_where=sa.text("drawn_points < points OR file_id <> shown_file_id"),
        )


def peoples_data() -> None:
    """What was there at hand-over, what has a verified copy, what questions showed, and syncs."""
    facts = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
    op.create_table(
        "baselines",
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("keys", sa.LargeBinary(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_baselines_lease_id_leases")),
        sa.PrimaryKeyConstraint("lease_id", name=op.f("pk_baselines")),
    )
    op.create_table(
        "manifest",
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("path_key", sa.LargeBinary(), nullable=False),
        sa.Column("path", sa.LargeBinary(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.Column("ctime_ns", sa.BigInteger(), nullable=False),
        sa.Column("inode", sa.BigInteger(), nullable=False),
        sa.Column("hash_kind", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_manifest_lease_id_leases")),
        sa.PrimaryKeyConstraint("lease_id", "path_key", name=op.f("pk_manifest")),
    )
    op.create_table(
        "looks",
        sa.Column("question_id", sa.String(), nullable=False),
        sa.Column("which", sa.String(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("why_unknown", sa.String(), nullable=True),
        sa.Column("jobs", facts, nullable=False),
        sa.Column("told", sa.LargeBinary(), nullable=False),
        sa.Column("is_fenced", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_looks_question_id_questions")),
        sa.PrimaryKeyConstraint("question_id", "which", name=op.f("pk_looks")),
    )
    op.create_table(
        "syncs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paths", facts, nullable=False),
        sa.Column("question_id", sa.String(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("total_files", sa.BigInteger(), nullable=False),
        sa.Column("total_bytes", sa.BigInteger(), nullable=False),
        sa.Column("copied_bytes", sa.BigInteger(), nullable=False),
        sa.Column("bytes_per_s", sa.Float(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=True),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("not_safe", facts, nullable=False),
        sa.Column("not_safe_files", sa.BigInteger(), nullable=False),
        sa.Column("left_files", sa.BigInteger(), nullable=False),
        sa.Column("left_bytes", sa.BigInteger(), nullable=False),
        sa.Column("why_unknown", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_syncs_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_syncs")),
    )
    with op.batch_alter_table("syncs", schema=None) as batch_op:
        batch_op.create_index("ix_syncs_lease_id_asked_at", ["lease_id", "asked_at"], unique=False)
        batch_op.create_index(
            "ix_syncs_asked_at_open",
            ["asked_at"],
            unique=False,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )
    questions_show_inventories(facts)


def questions_show_inventories(facts: sa.types.TypeEngine[Any]) -> None:
    """Nothing was deployed before this revision: there are no questions yet that would lack these."""
    op.drop_index("uq_questions_lease_id_open", "questions")
    op.add_column("questions", sa.Column("fingerprint", sa.String(), nullable=False))
    op.add_column("questions", sa.Column("follows", sa.String(), nullable=True))
    op.add_column("questions", sa.Column("changes", facts, nullable=False))
    op.add_column("questions", sa.Column("sync_id", sa.String(), nullable=True))
    op.create_index(
        "uq_questions_lease_id_open",
        "questions",
        ["lease_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('looking', 'open')"),
        postgresql_where=sa.text("state IN ('looking', 'open')"),
    )
