"""A whole run, read from one file: its curves, how far it came, how it ended, and what deserves a word."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.domain.curve import CurveFacts, Series, describe
from bot.domain.jobs.lines import last_lines
from bot.domain.jobs.outcome import Ended, Outcome, outcome_of
from bot.domain.jobs.reading import TAIL_BYTES, JobOutput
from bot.domain.metrics import Point, Progress
from bot.domain.metrics.collected import Collected
from bot.domain.verdicts import Verdict, has_diverged, verdicts

_MOST_LINES: Final = 2000


@dataclass(frozen=True, slots=True)
class RunReading:
    """One run. ``counts``: the points of each curve, also where not all are kept."""

    series: tuple[Series, ...]
    counts: Mapping[str, int]
    progress: Progress
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    has_diverged: bool
    curve: CurveFacts | None


@dataclass(slots=True)
class RunReader:
    """Takes a log piece by piece, in bounded memory, or points that were read elsewhere."""

    at: datetime
    collected: Collected = field(default_factory=Collected)
    output: JobOutput = field(default_factory=lambda: JobOutput(""))

    def take(self, piece: bytes) -> None:
        """The next bytes of a log."""
        self.output, points = self.output.taken(piece, self.at)
        self.collected.add(points)

    def take_points(self, points: tuple[Point, ...]) -> None:
        """Points that are in no log."""
        self.collected.add(points)

    def reading(self) -> RunReading:
        """Nothing follows: what it was."""
        self.output, points = self.output.finished(self.at)
        self.collected.add(points)
        series = self.collected.series()
        lines = last_lines(self.output.tail, _MOST_LINES, is_whole=len(self.output.tail) < TAIL_BYTES)
        progress = self.output.progress
        outcome = outcome_of(lines, progress, series)
        found = verdicts(series, is_over=outcome.ended is Ended.FINISHED)
        return RunReading(
            series=series,
            counts={one.metric: self.collected.count(one) for one in series},
            progress=progress,
            outcome=outcome,
            verdicts=found,
            has_diverged=has_diverged(series, found),
            curve=describe(series),
        )
