"""People who rent, stop, change their minds and press what there is, by chance."""

import random
import threading
from contextlib import suppress

from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.living import Subject
from bot.domain.places import MessageRef
from bot.domain.question import QuestionState
from bot.playground.client import PlaygroundError
from bot.playground.client_types import Message
from tests.e2e.deployment import Deployment

GPUS = ("cpu", "cpu", "cpu", "cpu", "t4", "l4", "a10", "rtx4090", "l40s", "a100-40")
MOST_LIVE = 3
PAUSE_S = 0.05
_S = LeaseState
_YOUNG = (_S.REQUESTED, _S.LAUNCHING, _S.BOOTING, _S.CHECKING)


class Somebody:
    """One person, acting at random until it is enough."""

    def __init__(self, deployment: Deployment, name: str, channels: tuple[str, ...], seed: int) -> None:
        self._deployment, self._channels = deployment, channels
        self._me = deployment.person(name)
        self._chance = random.Random(seed)
        self._rents = 0

    def live_on(self, enough: threading.Event) -> None:
        """Act until it is enough."""
        while not enough.wait(PAUSE_S):
            # the message may be gone, or without that button, by the time of the press
            with suppress(PlaygroundError):
                self._act()

    def _act(self) -> None:
        mine = self._mine()
        if len(mine) < MOST_LIVE and self._chance.random() < 0.7:
            self._rent()
            return
        if not mine:
            return
        lease = self._chance.choice(mine)
        if self._press_question(lease):
            return
        if lease.state in _YOUNG and self._chance.random() < 0.7:
            return
        verbs = ["release", "release", "release", "stop", "start", "extend"]
        match self._chance.choice(verbs):
            case "extend":
                self._type(f"extend {lease.name} 1h")
            case verb:
                if self._chance.random() < 0.7:
                    self._write(lease)
                self._type(f"{verb} {lease.name}")

    def _write(self, lease: Lease) -> None:
        """Something to lose; the machine may not be there (any more)."""
        with suppress(OSError, AssertionError):
            self._deployment.write(lease.name, f"out/{self._chance.random()}.pt")

    def _rent(self) -> None:
        gpu, hours = self._chance.choice(GPUS), self._chance.randint(1, 4)
        named = f" name={self._me.name}-{self._rents}" if self._chance.random() < 0.8 else ""
        self._rents += 1
        self._type(f"rent {gpu} {hours}h{named}")
        if named and self._chance.random() < 0.4:
            self._type(f"release {named.removeprefix(' name=')}")

    def _press_question(self, lease: Lease) -> bool:
        """Answer the question about the lease, if one is out; mostly yes, sometimes twice or both ways."""
        with self._deployment.store.read() as tx:
            question = tx.questions.latest(lease.id)
            living = tx.living.get(Subject.QUESTION, question.id) if question else None
        if question is None or question.state not in (QuestionState.OPEN, QuestionState.YES) or living is None:
            return False
        if living.message is None or (question.state is QuestionState.YES and self._chance.random() < 0.8):
            return False
        if self._chance.random() < 0.7 and question.state is QuestionState.OPEN:
            self._press(living.message, "question_yes")
            if self._chance.random() < 0.2:
                self._press(living.message, "question_no")
        else:
            self._press(living.message, "question_no")
        return True

    def _press(self, message: MessageRef, action: str) -> None:
        self._me.click(Message(message.channel, message.ts, "", "", ""), action)

    def _type(self, text: str) -> None:
        self._me.command(self._chance.choice(self._channels), f"/gpu {text}")

    def _mine(self) -> list[Lease]:
        with self._deployment.store.read() as tx:
            return [lease for lease in tx.leases.live(self._me.id) if lease.want is not Want.RELEASED]
