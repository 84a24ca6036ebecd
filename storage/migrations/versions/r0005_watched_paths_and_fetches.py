"""Paths that people named on machines, and wishes to get something from the archive."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Both tables."""
    op.create_table(
        "watched",
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("path_key", sa.LargeBinary(), nullable=False),
        sa.Column("path", sa.LargeBinary(), nullable=False),
        sa.Column("treatment", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_watched_lease_id_leases")),
        sa.PrimaryKeyConstraint("lease_id", "path_key", name=op.f("pk_watched")),
    )
    op.create_table(
        "fetches",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wanted", sa.LargeBinary(), nullable=False),
        sa.Column("told", sa.String(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_fetches_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fetches")),
    )
    op.create_index(
        "ix_fetches_asked_at_open",
        "fetches",
        ["asked_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
