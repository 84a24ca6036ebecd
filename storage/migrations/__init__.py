"""The schema's history, in one line; `storage.schema` walks it."""
