"""The port that turns curves into pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from bot.domain.curve import Series, companion, primary, score_beside

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


@dataclass(frozen=True, slots=True)
class CurvePicture:
    """What a picture shows. ``title`` and the metrics' names come from outside: any text of any length.

    ``main`` None: an empty picture that says so. ``validation`` shares the panel of ``main``; ``score`` has its own.
    """

    title: str
    main: Series | None = None
    validation: Series | None = None
    score: Series | None = None
    is_simulated: bool = False
    words: PictureWords = field(default_factory=PictureWords)

    @classmethod
    def of(cls, title: str, series: Sequence[Series], *, is_simulated: bool = False) -> Self:
        """The picture of a run: its primary curve, with validation and score where there are any."""
        main = primary(series)
        score = score_beside(series)
        return cls(
            title=title,
            main=main,
            validation=companion(series, main) if main else None,
            score=None if score is main else score,
            is_simulated=is_simulated,
        )


class Plotter(Protocol):
    """Draws pictures."""

    def draw(self, picture: CurvePicture) -> bytes:
        """A PNG of ``WIDTH_PX`` by ``HEIGHT_PX``, readable on light and dark ground.

        Any values and texts are drawn. Takes up to seconds the first time, tenths of a second after: not for a reply's
        path. May be called from several threads.
        """
        ...
