"""Files that trainers write beside their output: which they are, how they are read, and when they are worth more."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from bot.domain.curve import Mark, Series, bare_name, primary
from bot.domain.metrics.event_file import looks_like_events
from bot.domain.metrics.point import XKind


class FileKind(StrEnum):
    """How a file is read."""

    LINES = "lines"
    """As an output is, piece by piece: logs, JSON lines, CSV."""
    DOCUMENT = "document"
    """As a whole: it is written anew each time."""
    EVENTS = "events"
    """TensorBoard's."""


# The more particular first: of a directory that has several, the earlier says more.
_NAMES: Final = (
    (re.compile(r"trainer_log\.jsonl"), FileKind.LINES),  # LLaMA-Factory
    (re.compile(r"trainer_state\.json"), FileKind.DOCUMENT),  # Hugging Face, in each checkpoint
    (
        re.compile(r"metrics\.csv|results\.csv|progress\.csv|history\.csv|training_log\.csv|summary\.csv"),
        FileKind.LINES,
    ),
    (re.compile(r"metrics\.jsonl?|scalars\.json|train_log\.jsonl?|log\.jsonl|[0-9_]{15}\.log\.json"), FileKind.LINES),
    (re.compile(r"events\.out\.tfevents\..{1,200}"), FileKind.EVENTS),
    (re.compile(r"history\.json|training_history\.json|log_history\.json|all_results\.json"), FileKind.DOCUMENT),
)
MOST_FILES: Final = 8
_ANY_MARK: Final = Mark(0.0, 0.0)
NAMES: Final = "|".join(f"(?:{pattern.pattern})" for pattern, _ in _NAMES)
"""A regular expression for all of them."""


def run_file(name: str) -> FileKind | None:
    """How a file of this name, without folders, is read; None where it is none of a trainer's."""
    return next((kind for pattern, kind in _NAMES if pattern.fullmatch(name)), None)


def source_name(path: str) -> str:
    """What people call the source: the file's name; an event file's with its folder, which tells runs apart."""
    folder, _, name = path.rpartition("/")
    is_by_folder = folder and run_file(name) is FileKind.EVENTS
    return f"{folder.rpartition('/')[2]}/{name}" if is_by_folder else name


def kind_of(name: str, head: bytes) -> FileKind:
    """How any file is read, by its name and its first bytes."""
    if looks_like_events(head):
        return FileKind.EVENTS
    known = run_file(name)
    if known is FileKind.DOCUMENT or (name.endswith(".json") and head.lstrip()[:1] in (b"{", b"[")):
        first_line = head.lstrip().split(b"\n", 1)[0]
        return FileKind.LINES if _is_whole_object(first_line) and b"\n{" in head else FileKind.DOCUMENT
    return FileKind.LINES


def worth_reading(paths: Iterable[tuple[str, float]]) -> tuple[str, ...]:
    """Of the (path, time of change) in a job's directory those to read: the latest of each source, at most 8.

    Checkpoints repeat ``trainer_state.json``, and a run that began again writes a second event file.
    """
    latest: dict[tuple[int, str], tuple[float, str]] = {}
    for path, changed_at in paths:
        name = path.rsplit("/", 1)[-1]
        rank = next((rank for rank, (pattern, _) in enumerate(_NAMES) if pattern.fullmatch(name)), None)
        if rank is not None:
            key = (rank, source_name(path) if rank else "")
            latest[key] = max(latest.get(key, (changed_at, path)), (changed_at, path))
    return tuple(path for _, (_, path) in sorted(latest.items(), key=lambda item: (item[0][0], -item[1][0])))[
        :MOST_FILES
    ]


def richer(output: Sequence[Series], *files: Sequence[Series]) -> tuple[Series, ...]:
    """One run's curves out of its output and the files beside it, each curve once.

    The source whose telling curve has the most points goes first; of equals a file, which has all digits. Others add
    the curves that it lacks: the same number under another name (``loss``, ``train/loss``) is no new one.
    """
    sources = sorted((*files, output), key=lambda series: -_points(series))
    chosen: list[Series] = []
    known: set[tuple[str, ...]] = set()
    for series in sources:
        chosen += [one for one in series if _same(one) not in known]
        known |= {_same(one) for one in series}
    return tuple(chosen)


def sources_of(points: Mapping[str, Sequence[tuple[str, XKind, int]]]) -> dict[str, str]:
    """From which source each metric is taken, as `richer` decides it.

    ``points``: per source (the output is ``""``) its metrics, what their x counts, and how many points they have.
    """
    by_source = {
        source: tuple(Series(metric, kind, (_ANY_MARK,) * count) for metric, kind, count in found)
        for source, found in sorted(points.items())
    }
    source_of = {id(series): source for source, found in by_source.items() for series in found}
    output = by_source.pop("", ())
    chosen: dict[str, str] = {}
    for series in richer(output, *by_source.values()):
        chosen.setdefault(series.metric, source_of[id(series)])
    return chosen


def _points(series: Sequence[Series]) -> int:
    main = primary(series)
    return len(main.points) if main else 0


def _same(series: Series) -> tuple[str, ...]:
    meant = series.meaning
    return meant.role, meant.split, bare_name(series.metric)


def _is_whole_object(line: bytes) -> bool:
    return line.startswith(b"{") and line.rstrip().endswith(b"}")
