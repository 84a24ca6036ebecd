"""A moment and a place for every parse: Monday 4 May 2026, noon in Berlin."""

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.commands import Command, ParseContext, Refusal, parse

NOON = ParseContext(datetime(2026, 5, 4, 10, 0, tzinfo=UTC), ZoneInfo("Europe/Berlin"))


@pytest.fixture(name="parsed")
def _parsed() -> Callable[[str], Command | Refusal]:
    return lambda text: parse(text, NOON)
