"""The tour's third machine: a run that will not fit its lease, one whose loss is no number, one out of memory."""

from __future__ import annotations

import re

from bot.playground.client_types import Message
from bot.playground.stage import Stage, TourError

NAME = "grey-heron"
# Long enough a lease for the tour, and too short for ten thousand steps of half a second.
LEASE = "1h"
SLOW = "for s in $(seq 1 10000); do echo step $s/10000 loss=0.$((99 - s % 9)); sleep 0.5; done"
SICK = (
    "for s in $(seq 1 20); do echo step=$s loss=0.$((90 - s)); done; "
    "for s in 21 22 23; do echo step=$s loss=nan; done; sleep 300"
)
FULL = (
    "echo step=1 loss=0.5; echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. "
    "GPU 0 has a total capacity of 79.15 GiB of which 340.00 MiB is free.' >&2; exit 1"
)


def begin_runs(stage: Stage) -> Message:
    """Rent the machine and start the slow run: the bot needs about a minute of it to know its pace."""
    stage.types("ana", f"/gpu rent l4 {LEASE} name={NAME}")
    card = stage.card(NAME, "*ready*")
    stage.types("ana", f"/gpu run {NAME} name=slow -- `{SLOW}`")
    return card


def end_runs(stage: Stage, card: Message) -> tuple[str, ...]:
    """The other two runs, then what is said of all three, each once; the machine is released. What was said."""
    stage.types("ana", f"/gpu run {NAME} name=sick -- `{SICK}`")
    stage.types("ana", f"/gpu run {NAME} name=full -- `{FULL}`")
    said = {
        "full": _said(stage, card, "The GPU's memory is full"),
        "sick": _said(stage, card, "NaN or infinite since"),
        "slow": _said(stage, card, "will not be done before the lease's end", 120),
    }
    needs = re.search(r"It needs (.+) more: `/gpu extend", said["slow"].words)
    if needs is None:
        raise TourError("not so: the slow run's notice says how much longer it needs, and what that costs")
    _pictured(stage, card)
    for job in (f"{NAME}/1", f"{NAME}/2"):
        stage.types("ana", f"/gpu kill {job}")
        _ended(stage, card, job)
    for name, words in (("sick", "NaN or infinite since"), ("slow", "will not be done")):
        times = sum(words in m.words for m in stage.thread(card))
        if times != 1:
            raise TourError(f"not so: what is wrong with {name} is said once (it was said {times} times)")
    _release(stage)
    return tuple(said)


def _said(stage: Stage, card: Message, words: str, timeout_s: float = 40) -> Message:
    return stage.in_thread(card, f"a message that says {words!r}", lambda m: words in m.words, timeout_s)


def _pictured(stage: Stage, card: Message) -> None:
    """The sick run's picture, with its mark."""
    stage.in_thread(
        card, "the sick run's curve", lambda m: f"{NAME}/2" in m.words and "slack_file" in str(m.blocks), 60
    )


def _ended(stage: Stage, card: Message, job: str) -> None:
    stage.in_thread(card, f"{job} has ended", lambda m: job in m.words and "killed" in m.words)


def _release(stage: Stage) -> None:
    """Nothing on it would be lost, so nobody is asked."""
    stage.types("ana", f"/gpu release {NAME}")
    stage.card(NAME, "*released*", 60)
