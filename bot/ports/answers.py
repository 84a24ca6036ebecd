"""The ports to answers that were given as reactions: how they are read, and who takes an answer."""

from collections.abc import Mapping
from typing import Protocol

from bot.domain.answering import Sign
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.question import Answer


class Signs(Protocol):
    """Reads the reactions under a message. May raise `SlackBusy`: nothing is known, ask again later."""

    def read(self, message: MessageRef) -> Mapping[Answer, Sign] | None:
        """Those of people, the bot's own left out; None: they can never be read (the message is gone, no scope)."""
        ...

    def person(self, user: str) -> Actor | None:
        """Who that is now; None: not known, so that nothing of theirs counts."""
        ...


class TakesAnswers(Protocol):
    """Takes an answer to a question, by the rules that hold for buttons."""

    def answer(self, actor: Actor, question_id: str, answer: Answer, *, by_sign: bool = False) -> object:
        """Raises `Refused` where it does not count."""
        ...
