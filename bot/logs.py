"""Logs: an event name and fields, one JSON line each; secrets are redacted by type."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from pydantic import SecretStr

from bot.domain.secret import Secret

_QUIET = ("apscheduler", "slack_sdk", "slack_bolt", "urllib3", "websocket", "alembic", "asyncio")


def set_up_logs(level: str) -> None:
    """Send our events and others' warnings to standard error."""
    threshold = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact,
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(default=str)],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(default=str),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
    # Its threads log whole tracebacks for what we report as a finding.
    logging.getLogger("paramiko").setLevel(logging.CRITICAL)


def redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Stars for every value that is a secret, also within lists and mappings."""
    return {key: _redacted(value) for key, value in event.items()}


def _redacted(value: object) -> object:
    match value:
        case Secret() | SecretStr():
            return "***"
        case dict():
            return {key: _redacted(item) for key, item in value.items()}
        case list() | tuple():
            return [_redacted(item) for item in value]
        case _:
            return value
