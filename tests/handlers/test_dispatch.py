"""Every command that is understood is also carried out."""

from typing import get_args

from bot.domain.commands.table import Command
from handlers.dispatch import FEATURES


def test_every_command_has_its_feature() -> None:
    assert set(FEATURES) == set(get_args(Command))
