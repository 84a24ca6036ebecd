"""The port that turns curves into pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from bot.domain.curve import Series, companion, primary, score_beside
from bot.domain.run_marks import NO_MARKS, RunMarks

WIDTH_PX = 1200
HEIGHT_PX = 675


@dataclass(frozen=True, slots=True)
class PictureWords:
    """The words inside a picture; the names of metrics are the source's own."""

    epoch: str = "epoch"
    step: str = "step"
    log_scale: str = "log scale"
    last: str = "last"
    best: str = "best"
    at: str = "at"
    not_finite: str = "NaN or infinite"
    nothing_yet: str = "No points yet"
    nothing_finite: str = "No finite value"
    simulated: str = "simulated GPU"
    since_start: str = "time since start"
    resumed: str = "resumed"
    lease_ends: str = "lease ends"


@dataclass(frozen=True, slots=True)
class Line:
    """One more curve. ``label``: what it is called, text from outside; ``is_below``: in the lower panel."""

    label: str
    series: Series
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class CurvePicture:
    """What a picture shows. ``title`` and the metrics' names come from outside: any text of any length.

    ``main`` None: an empty picture that says so. ``validation`` shares the panel of ``main``; ``score`` has its own.
    ``more`` are further curves, of other metrics or other runs. ``is_log``: a log axis wherever values allow, not only
    where it helps.
    """

    title: str
    main: Series | None = None
    validation: Series | None = None
    score: Series | None = None
    is_simulated: bool = False
    words: PictureWords = field(default_factory=PictureWords)
    marks: RunMarks = NO_MARKS
    more: tuple[Line, ...] = ()
    main_label: str = ""
    """What ``main`` is called; empty: by its metric."""
    is_log: bool = False

    @classmethod
    def of(
        cls, title: str, series: Sequence[Series], *, is_simulated: bool = False, marks: RunMarks = NO_MARKS
    ) -> Self:
        """The picture of a run: its primary curve, with validation and score where there are any."""
        main = primary(series)
        score = score_beside(series)
        return cls(
            title=title,
            main=main,
            validation=companion(series, main) if main else None,
            score=None if score is main else score,
            is_simulated=is_simulated,
            marks=marks,
        )


class Plotter(Protocol):
    """Draws pictures."""

    def draw(self, picture: CurvePicture) -> bytes:
        """A PNG of ``WIDTH_PX`` by ``HEIGHT_PX``, readable on light and dark ground.

        Any values and texts are drawn. Takes up to seconds the first time, tenths of a second after: not for a reply's
        path. May be called from several threads.
        """
        ...
