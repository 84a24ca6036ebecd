"""The port to looks at machines: bounded, read as values, never a verdict on what could not be seen."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.checklist import Checklist
from bot.domain.health import Expected
from bot.domain.use import Use
from bot.ports.remote import Login


@dataclass(frozen=True, slots=True)
class Examined:
    """A look that ended: what it found, and the host key that was shown."""

    checklist: Checklist
    host_key: str


class Examiner(Protocol):
    """Looks at machines. Every method is one step within one deadline and raises what `Remote.run` raises."""

    def greet(self, login: Login, at: datetime) -> Examined:
        """Log in and nothing else: a checklist of one line."""
        ...

    def health(self, login: Login, expected: Expected, at: datetime) -> Examined:
        """The whole checklist; may take a minute where a framework is slow to load."""
        ...

    def use(self, login: Login, expected: Expected) -> Use:
        """How the machine is used just now; takes about a second."""
        ...
