"""Data disks that outlive their machines, and the leases that have or leave one."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
LIVE = sa.text("state NOT IN ('deleted', 'lost')")


def upgrade() -> None:
    """The table, and the columns of leases."""
    op.create_table(
        "disks",
        *(sa.Column(name, sa.String(), nullable=False) for name in ("id", "name", "owner", "team_id", "channel")),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("region", sa.String(), nullable=False),
        sa.Column("size_gib", sa.Integer(), nullable=False),
        sa.Column("rate_microusd_per_hour", sa.BigInteger(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("volume_id", sa.String(), nullable=True),
        sa.Column("intervals", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_look_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_disks_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_disks")),
    )
    for name, column, unique in (
        ("uq_disks_name_live", "name", True),
        ("ix_disks_next_look_at_live", "next_look_at", False),
    ):
        op.create_index(name, "disks", [column], unique=unique, sqlite_where=LIVE, postgresql_where=LIVE)
    op.add_column("leases", sa.Column("disk_id", sa.String(), nullable=True))
    op.add_column("leases", sa.Column("keep_disk_as", sa.String(), nullable=True))
