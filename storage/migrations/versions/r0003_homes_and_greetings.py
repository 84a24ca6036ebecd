"""People's homes in the app, and the channels that were greeted."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Homes, greetings, and indexes for what a home lists."""
    op.create_table(
        "homes",
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("states", sa.String(), nullable=False),
        sa.Column("news", sa.String(), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user", name=op.f("pk_homes")),
    )
    op.create_index("ix_homes_opened_at", "homes", ["opened_at"], unique=False)
    op.create_table(
        "greetings",
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("greeted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("channel", name=op.f("pk_greetings")),
    )
    op.create_index("ix_jobs_owner_requested_at", "jobs", ["owner", "requested_at"], unique=False)
    op.create_index("ix_quotes_expires_at", "quotes", ["expires_at"], unique=False)
