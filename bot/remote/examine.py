"""Looks at machines by the scripts that ship with gpubot. Implements `bot.ports.examiner.Examiner`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.health import Expected, read_health
from bot.domain.health.read import read_greeting
from bot.domain.use import Use
from bot.domain.use_output import read_use
from bot.ports.examiner import Examined
from bot.ports.remote import Login, Remote, Step

GREETING_DEADLINE_S: Final = 20.0
HEALTH_DEADLINE_S: Final = 100.0
USE_DEADLINE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class ScriptExaminer:
    """``check_url``: an address that a machine with a way out can reach; empty: that is not looked for."""

    remote: Remote
    check_url: str

    def greet(self, login: Login, at: datetime) -> Examined:
        """Log in and nothing else."""
        output = self.remote.run(login, Step.HEALTH, ("login",), b"", GREETING_DEADLINE_S)
        return Examined(read_greeting(output.text, at), output.host_key)

    def health(self, login: Login, expected: Expected, at: datetime) -> Examined:
        """The whole checklist."""
        args = ("all", expected.data_path, expected.data_mark, str(expected.gpu_count), self.check_url)
        output = self.remote.run(login, Step.HEALTH, args, b"", HEALTH_DEADLINE_S)
        return Examined(read_health(output.text, expected, at), output.host_key)

    def use(self, login: Login, expected: Expected) -> Use:
        """How the machine is used just now."""
        scope = "home" if expected.on_this_computer else "machine"
        args = (scope, str(expected.gpu_count), expected.data_path)
        return read_use(self.remote.run(login, Step.USE, args, b"", USE_DEADLINE_S).text)
