"""Verdicts on a run, in words: each with its numbers. Also what `python -m bot curve` prints."""

import html

from bot.domain.jobs.outcome import Ended
from bot.domain.metrics import XKind
from bot.domain.run_reading import RunReading
from bot.domain.verdicts import Diverging, Flat, Nonfinite, Overfitting, Spike, Stalled, Verdict, ZeroLoss
from handlers.words.curve import curve_words, number
from handlers.words.endings import cause_advice
from handlers.words.figures import span
from handlers.words.text import plain


def verdict_words(verdict: Verdict) -> str:
    """One verdict as a clause, without a full stop."""
    match verdict:
        case Nonfinite():
            return _nonfinite(verdict)
        case Diverging():
            return (
                f"{_name(verdict.metric)} is diverging: {number(verdict.low.value)} at {_at(verdict.low.x, verdict.x_kind)}, "
                f"{number(verdict.last.value)} at {verdict.last.x:,.10g}"
            )
        case Spike():
            others = f"; {verdict.count} such jumps in all" if verdict.count > 1 else ""
            return (
                f"{_name(verdict.metric)} jumped to {number(verdict.peak.value)} at {_at(verdict.peak.x, verdict.x_kind)}, "
                f"from {number(verdict.level)}, and was back by {verdict.back_at.x:,.10g}{others}"
            )
        case Flat():
            moved = f"{verdict.moved_percent:+.2g} %".replace("-", "−")
            return (
                f"{_name(verdict.metric)} is flat since {_at(verdict.since.x, verdict.x_kind)}: "
                f"about {number(verdict.level)}, moved {moved} up to {verdict.last.x:,.10g}"
            )
        case Overfitting():
            return (
                f"overfitting: {_name(verdict.metric)} was best at {_at(verdict.best.x, verdict.x_kind)} with "
                f"{number(verdict.best.value)} and is {number(verdict.last.value)}, while {_name(verdict.train_metric)} "
                f"went on from {number(verdict.train_then)} to {number(verdict.train_now)}"
            )
        case ZeroLoss():
            return (
                f"{_name(verdict.metric)} is exactly 0 since {_at(verdict.since_x, verdict.x_kind)} "
                f"({_values(verdict.count)}) and {_name(verdict.gradient_metric)} is NaN: nothing is learnt"
            )
        case Stalled():
            return f"no new value for {span(verdict.silent_s)}; one every {span(verdict.usual_s)} is usual"


def reading_words(reading: RunReading) -> list[str]:
    """A whole file's run as lines of plain text: the curve, its verdicts, how it ended and what helps."""
    lines = [curve_words(reading.curve) if reading.curve else "no loss, score or reward in it"]
    lines += [verdict_words(verdict) for verdict in reading.verdicts]
    outcome = reading.outcome
    if outcome.ended is not Ended.FINISHED:
        lines.append(_ENDED[outcome.ended])
    advice = cause_advice(outcome.cause) if outcome.cause else ""
    lines += [*map(plain, outcome.error_lines), *([advice] if advice else [])]
    return [unformatted(line) for line in lines]


def unformatted(words: str) -> str:
    """Slack's text for a terminal: no marks, no entities."""
    return html.unescape(words.replace("*", "").replace("\u2060", "").replace("∗", "*").replace("∼", "~"))


_ENDED = {
    Ended.RUNNING: "it does not say how it ended: it may be running",
    Ended.CRASH: "it crashed",
    Ended.OOM: "it ran out of memory",
    Ended.KILLED: "it was killed",
    Ended.NCCL_TIMEOUT: "it waited for another process in vain (NCCL timeout)",
}


def _nonfinite(verdict: Nonfinite) -> str:
    name, since = _name(verdict.metric), _at(verdict.since_x, verdict.x_kind)
    if verdict.recovered is not None:
        back = f"{number(verdict.recovered.value)} at {verdict.recovered.x:,.10g}"
        return f"{name} was NaN or infinite at {since} ({_values(verdict.count)} in all) and has recovered: {back}"
    last = f"; the last number was {number(verdict.last_finite.value)}" if verdict.last_finite else ""
    return f"{name} is NaN or infinite since {since} ({_values(verdict.count)}){last}"


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count:,} values"


def _name(metric: str) -> str:
    return plain(metric, 40)


def _at(x: float, kind: XKind) -> str:
    return f"{'epoch' if kind is XKind.EPOCH else 'step'} {x:,.10g}"
