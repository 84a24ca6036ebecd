"""What is said of a run while it goes on: evidence first, then what helps."""

import json
from collections.abc import Mapping
from typing import Final

from pydantic import TypeAdapter

from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from bot.domain.verdicts import (
    Diverging,
    Flat,
    Nonfinite,
    Overfitting,
    Spike,
    Stalled,
    Verdict,
    VerdictKind,
    ZeroLoss,
)
from handlers.words.figures import dollars, hourly, span
from handlers.words.paths import size_words
from handlers.words.use import moment_of
from handlers.words.verdicts import verdict_words

RUN_KINDS = frozenset(
    {
        NoticeKind.RUN_VERDICT,
        NoticeKind.RUN_SILENT,
        NoticeKind.RUN_RESTS_GPU,
        NoticeKind.RUN_FILLS_DISK,
        NoticeKind.RUN_WILL_NOT_FIT,
    }
)
_KINDS: Final[Mapping[VerdictKind, type[Verdict]]] = {
    kind.kind: kind for kind in (Nonfinite, Diverging, Spike, Flat, Overfitting, ZeroLoss, Stalled)
}


def run_notice_words(notice: Notice, lease: Lease) -> str:
    """The sentence for a notice about a run."""
    facts = notice.facts
    name = f"*{lease.name}/{facts.get('number')}*"
    called = f"<@{facts.get('owner')}> {name}"
    ends = f"`/gpu kill {lease.name}/{facts.get('number')}` ends it."
    rate = hourly(lease.offer.price_microusd_per_hour)
    match notice.kind:
        case NoticeKind.RUN_VERDICT:
            verdict = verdict_of(str(facts["verdict"]))
            if facts.get("is_calm"):
                return f"{name}: {verdict_words(verdict)}."
            goes_on = "" if facts.get("is_over") else f" Its machine costs {rate}. {ends}"
            return f":warning: {called}: {verdict_words(verdict)}. {_helps(verdict)}{goes_on}"
        case NoticeKind.RUN_SILENT:
            return f":warning: {called}: {_silence(facts)}. Its machine costs {rate}. {_look(lease, facts)} {ends}"
        case NoticeKind.RUN_RESTS_GPU:
            return (
                f":warning: {called} trains, but not on the GPU: that was at {_whole(facts, 'gpu')} % at most in all of "
                f"{_whole(facts, 'looks')} looks since {moment_of(facts.get('since'))}, while {_cores(facts)}. Mostly the framework "
                f"finds no GPU, or the model was not moved to it. Its machine costs {rate}. {ends}"
            )
        case NoticeKind.RUN_FILLS_DISK:
            return (
                f":warning: {called} fills the disk: {size_words(_whole(facts, 'free_bytes'))} free, "
                f"{size_words(_whole(facts, 'before_bytes'))} when it began. As it went so far it is full in about "
                f"{span(_whole(facts, 'left_s'))}. Old checkpoints and caches can go; `/gpu sync {lease.name}` saves what is there first."
            )
        case _:
            missing_s = _whole(facts, "missing_s")
            return (
                f":warning: {called} will not be done before the lease's end ({moment_of(facts.get('ends'))}): it is done about "
                f"{moment_of(facts.get('done'))}, with a reserve. It needs {span(missing_s)} more: "
                f"`/gpu extend {lease.name} {missing_s // 60}m` costs {dollars(_whole(facts, 'price_microusd'))}."
            )


def verdict_of(told: str) -> Verdict:
    """The verdict that a notice carries."""
    kind = _KINDS[VerdictKind(json.loads(told)["kind"])]
    return TypeAdapter(kind).validate_json(told)


def _helps(verdict: Verdict) -> str:
    """What to do about it, as a sentence."""
    match verdict:
        case Nonfinite() | Diverging():
            return (
                "A lower learning rate, a longer warm-up or clipped gradients help mostly, from a checkpoint from before; what is "
                "trained from here on is mostly lost."
            )
        case ZeroLoss():
            return "In half precision that is overflow mostly: bfloat16, loss scaling or clipped gradients help."
        case Flat():
            return "It may have learnt what it can, or the learning rate is too low by now: is the rest worth its cost?"
        case Overfitting():
            return "The checkpoint of the best place is the one to keep."
        case _:
            return ""


def _silence(facts: Facts) -> str:
    usual = facts.get("usual_s")
    gpu = facts.get("gpu")
    since = f"nothing printed since {moment_of(facts.get('since'))}"
    rhythm = f", where a value every {span(float(usual))} is usual" if isinstance(usual, int | float) else ""
    idle = f", and its GPU was at {gpu} % at the last look" if isinstance(gpu, int) else ""
    return f"{since}{rhythm}{idle}"


def _cores(facts: Facts) -> str:
    cores = facts.get("cores")
    busy = round(cores) if isinstance(cores, int | float) else 0
    return f"up to {busy} processor core{'s' if busy != 1 else ''} worked" if busy else "hardly anything worked"


def _look(lease: Lease, facts: Facts) -> str:
    return f"It may hang: `/gpu logs {lease.name}/{facts.get('number')}` shows its last lines."


def _whole(facts: Facts, name: str) -> int:
    value = facts.get(name)
    return int(value) if isinstance(value, int | float) else 0
