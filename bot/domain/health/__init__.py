"""The health checklist: what the script on a machine printed, read against what was rented."""

from bot.domain.health.codes import Code
from bot.domain.health.expected import Expected
from bot.domain.health.read import read_health, unreachable

__all__ = ["Code", "Expected", "read_health", "unreachable"]
