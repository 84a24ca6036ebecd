"""The one place that names concrete classes: settings in, a running bot out."""

from bot.bootstrap.parts import policy_from, providers_from
from bot.bootstrap.running import build, run
from bot.bootstrap.wiring import Bot

__all__ = ["Bot", "build", "policy_from", "providers_from", "run"]
