"""The first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The first tables."""
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=True),
        sa.Column("facts", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index("ix_audit_lease_id_id", ["lease_id", "id"], unique=False)

    op.create_table(
        "claims",
        sa.Column("thing", sa.String(), nullable=False),
        sa.Column("duty", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("thing", "duty", name=op.f("pk_claims")),
    )
    with op.batch_alter_table("claims", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_claims_holder"), ["holder"], unique=False)

    op.create_table(
        "deliveries",
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("delivery", name=op.f("pk_deliveries")),
    )
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_deliveries_taken_at"), ["taken_at"], unique=False)

    op.create_table(
        "leases",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("offer", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("disk_gib", sa.Integer(), nullable=False),
        sa.Column("length_s", sa.Integer(), nullable=False),
        sa.Column("quote_microusd", sa.BigInteger(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("state_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("want", sa.String(), nullable=False),
        sa.Column("tried", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("spare", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("ref", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("launched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("boot_began_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("handed_over_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("release_accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("address", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("volume_id", sa.String(), nullable=True),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("sealed_private_key", sa.String(), nullable=False),
        sa.Column("keys_applied", sa.String(), nullable=False),
        sa.Column("checklist", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("problem", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("missing_reads", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_look_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("is_live", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leases")),
    )
    with op.batch_alter_table("leases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_leases_name"), ["name"], unique=False)
        batch_op.create_index(
            "ix_leases_next_look_at_live",
            ["next_look_at"],
            unique=False,
            sqlite_where=sa.text("is_live = 1"),
            postgresql_where=sa.text("is_live"),
        )
        batch_op.create_index("ix_leases_owner_requested_at", ["owner", "requested_at"], unique=False)
        batch_op.create_index(
            "uq_leases_name_live",
            ["name"],
            unique=True,
            sqlite_where=sa.text("is_live = 1"),
            postgresql_where=sa.text("is_live"),
        )

    op.create_table(
        "notices",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("occasion", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("audience", sa.String(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("at_most_once", sa.Boolean(), nullable=False),
        sa.Column("facts", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("given_up_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("given_up_reason", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sa.UniqueConstraint("occasion", name=op.f("uq_notices_occasion")),
    )
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.create_index(
            "ix_notices_priority_waiting",
            ["priority", "id"],
            unique=False,
            sqlite_where=sa.text("said_at IS NULL AND given_up_at IS NULL"),
            postgresql_where=sa.text("said_at IS NULL AND given_up_at IS NULL"),
        )

    op.create_table(
        "offer_sheets",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("offers", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("provider", name=op.f("pk_offer_sheets")),
    )
    op.create_table(
        "public_keys",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_public_keys")),
        sa.UniqueConstraint("user", "fingerprint", name=op.f("uq_public_keys_user_fingerprint")),
    )
    op.create_table(
        "quotes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("order", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("lease_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quotes")),
    )
    op.create_table(
        "intervals",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("rate_microusd_per_hour", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_intervals_lease_id_leases")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_intervals")),
    )
    with op.batch_alter_table("intervals", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_intervals_lease_id"), ["lease_id"], unique=False)
        batch_op.create_index(
            "uq_intervals_lease_id_open",
            ["lease_id"],
            unique=True,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "living_messages",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("message", sa.String(), nullable=True),
        sa.Column("thread_of", sa.String(), nullable=True),
        sa.Column("posting_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["thread_of"], ["leases.id"], name=op.f("fk_living_messages_thread_of_leases")),
        sa.PrimaryKeyConstraint("subject", "subject_id", name=op.f("pk_living_messages")),
    )
    with op.batch_alter_table("living_messages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_living_messages_message"), ["message"], unique=False)
        batch_op.create_index(
            "ix_living_messages_priority_behind",
            ["priority", "turn"],
            unique=False,
            sqlite_where=sa.text("shown < wanted"),
            postgresql_where=sa.text("shown < wanted"),
        )
        batch_op.create_index(batch_op.f("ix_living_messages_turn"), ["turn"], unique=False)

    op.create_table(
        "questions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("lease_id", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("message", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["lease_id"], ["leases.id"], name=op.f("fk_questions_lease_id_leases")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_questions")),
        sa.UniqueConstraint("id", name=op.f("uq_questions_id")),
    )
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_questions_lease_id"), ["lease_id"], unique=False)
        batch_op.create_index(
            "uq_questions_lease_id_open",
            ["lease_id"],
            unique=True,
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )
