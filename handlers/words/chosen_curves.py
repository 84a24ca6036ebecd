"""Curves that somebody chose, in words: they stand beside the picture that is sent."""

from collections.abc import Sequence

from bot.domain.curve import Mark
from bot.domain.jobs.curve_wish import ChosenCurve, WishedPicture
from bot.domain.jobs.job import Job
from bot.domain.lease import Lease
from bot.domain.metrics import XKind
from handlers.words.curve import number
from handlers.words.figures import span
from handlers.words.jobs import given_name, job_name
from handlers.words.text import plain


def asked_words(found: WishedPicture) -> str:
    """The answer to `loss` with options."""
    return f"{_lines(found)}\nThe picture comes to you directly."


def wished_words(found: WishedPicture) -> str:
    """What is told beside the picture."""
    if not found.curves:
        return "Of the curves that you asked for nothing is left to draw."
    return f"{_lines(found)}\nThe picture is in this thread."


def wished_alt_text(found: WishedPicture) -> str:
    """The picture for those who do not see it."""
    return _lines(found).replace("*", "").replace("`", "").replace("\n", "; ")[:1900]


def picture_name(found: WishedPicture) -> str:
    """A name that every computer takes."""
    names = dict.fromkeys(f"{curve.lease.name}-{curve.job.number}" for curve in found.curves)
    return "-vs-".join(names)[:100] + ".png"


def _lines(found: WishedPicture) -> str:
    part = f" (the last {span(found.wish.last_s)})" if found.wish.last_s is not None else ""
    lines = [f"{name}{part}: {'; '.join(said)}." for name, said in _by_job(found.curves).items()]
    for name, said in _by_job(found.undrawn).items():
        counts, axis = _unit(found.undrawn[0]), _unit(found.curves[0])
        lines.append(
            f"{name}{part}: {'; '.join(said)}. Not drawn: counted in {counts}s, and the picture is by {axis}s."
        )
    lines += [f"{_name(job, lease)}{part} has none of these curves." for job, lease in found.without]
    return "\n".join(lines)


def _by_job(curves: Sequence[ChosenCurve]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for curve in curves:
        said.setdefault(_name(curve.job, curve.lease), []).append(_words(curve))
    return said


def _name(job: Job, lease: Lease) -> str:
    return f"*{job_name(job, lease)}*{given_name(job.name)}"


def _words(curve: ChosenCurve) -> str:
    """``val_loss 2.31 → 0.051 at step 5,000``."""
    series, name = curve.series, plain(curve.series.metric, 40)
    last: Mark = series.points[-1]
    way = number(last.value) if len(series.points) < 2 else f"{number(series.points[0].value)} → {number(last.value)}"
    return f"{name} {way} at {_unit(curve)} {last.x:,.10g}"


def _unit(curve: ChosenCurve) -> str:
    return "epoch" if curve.series.x_kind is XKind.EPOCH else "step"
