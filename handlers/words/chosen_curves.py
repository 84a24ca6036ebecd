"""Curves that somebody chose, in words: they stand beside the picture that is sent."""

from bot.domain.curve import Mark
from bot.domain.jobs.curve_wish import ChosenCurve, WishedPicture
from bot.domain.metrics import XKind
from handlers.words.curve import number
from handlers.words.figures import span
from handlers.words.jobs import job_name
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
    return _lines(found).replace("*", "").replace("\n", "; ")[:1900]


def picture_name(found: WishedPicture) -> str:
    """A name that every computer takes."""
    names = dict.fromkeys(f"{curve.lease.name}-{curve.job.number}" for curve in found.curves)
    return "-vs-".join(names)[:100] + ".png"


def _lines(found: WishedPicture) -> str:
    part = f" (the last {span(found.wish.last_s)})" if found.wish.last_s is not None else ""
    jobs = dict.fromkeys(job_name(curve.job, curve.lease) for curve in found.curves)
    lines = []
    for name in jobs:
        said = [_words(curve) for curve in found.curves if job_name(curve.job, curve.lease) == name]
        lines.append(f"*{name}*{part}: {'; '.join(said)}.")
    return "\n".join(lines)


def _words(curve: ChosenCurve) -> str:
    """``val_loss 2.31 → 0.051 at step 5,000``."""
    series, name = curve.series, plain(curve.series.metric, 40)
    last: Mark = series.points[-1]
    unit = "epoch" if series.x_kind is XKind.EPOCH else "step"
    way = number(last.value) if len(series.points) < 2 else f"{number(series.points[0].value)} → {number(last.value)}"
    return f"{name} {way} at {unit} {last.x:,.10g}"
