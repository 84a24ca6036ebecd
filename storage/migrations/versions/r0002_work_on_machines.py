"""What people do with machines: use and checks."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """What people do with machines."""
    use_and_checks()


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
