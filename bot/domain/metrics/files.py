"""Files that trainers write beside their output: which they are, how they are read, and when they are worth more."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from bot.domain.curve import Series, bare_name, primary
from bot.domain.metrics.event_file import looks_like_events


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


def run_file(name: str) -> FileKind | None:
    """How a file of this name, without folders, is read; None where it is none of a trainer's."""
    return next((kind for pattern, kind in _NAMES if pattern.fullmatch(name)), None)


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
    """Of the (path, time of change) in a job's directory those to read: the latest of each name, at most 8.

    Checkpoints repeat ``trainer_state.json``, and a run that began again writes a second event file.
    """
    latest: dict[tuple[int, str], tuple[float, str]] = {}
    for path, changed_at in paths:
        name = path.rsplit("/", 1)[-1]
        rank = next((rank for rank, (pattern, _) in enumerate(_NAMES) if pattern.fullmatch(name)), None)
        if rank is not None:
            key = (rank, name if rank else "")
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


def _points(series: Sequence[Series]) -> int:
    main = primary(series)
    return len(main.points) if main else 0


def _same(series: Series) -> tuple[str, ...]:
    meant = series.meaning
    return meant.role, meant.split, bare_name(series.metric)


def _is_whole_object(line: bytes) -> bool:
    return line.startswith(b"{") and line.rstrip().endswith(b"}")
