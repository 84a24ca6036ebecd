"""What Alembic runs for each command; `storage.schema` hands it an open transaction."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel import AutoString

from storage.tables import Row


def note_applied(*_: Any, **told: Any) -> None:
    """Remember each revision for `storage.schema.migrate` to return."""
    context.config.attributes["applied"].append(told["step"].up_revision_id)


def render(kind: str, subject: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Write our column types by what they are in the database, so that old migrations do not depend on our code."""
    if kind != "type":
        return False
    if isinstance(subject, AutoString):
        return "sa.String()"
    written = getattr(subject, "in_migrations", None)
    if written is None:
        return False
    if "postgresql." in written:
        autogen.imports.add("from sqlalchemy.dialects import postgresql")
    return str(written)


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,
    render_item=render,
    on_version_apply=note_applied,
)
with context.begin_transaction():
    context.run_migrations()
