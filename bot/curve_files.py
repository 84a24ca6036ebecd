"""Files of runs on a person's own machine, read as a job's output is, and as data, for ``python -m bot curve``."""

import dataclasses
import math
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from bot.domain.curve import primary
from bot.domain.metrics.documents import HEAD_BYTES, MOST_DOCUMENT_BYTES, Records, has_records, spread
from bot.domain.metrics.event_file import EventState, read_events
from bot.domain.metrics.files import FileKind, kind_of
from bot.domain.run_reading import RunReader, RunReading
from bot.errors import FileUnreadable

_PIECE_BYTES: Final = 4 * 1024 * 1024
_HEAD_BYTES: Final = 4096


def read_file(path: Path, now: datetime) -> RunReading:
    """Read one log or metric file, in pieces: memory does not grow with it.

    Raises:
        FileUnreadable: the system does not let it be read.
        ReaderMissing: it is of a kind whose reader is not installed.
    """
    reader = RunReader(now)
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            kind = kind_of(path.name, head)
            records = None
            if kind is FileKind.DOCUMENT:
                head += file.read(HEAD_BYTES)
                records = Records() if has_records(head) else None
                head = head if records else spread(head + file.read(MOST_DOCUMENT_BYTES))
            events = EventState()
            piece = head
            while piece:
                if kind is FileKind.EVENTS:
                    events, points = read_events(events, piece, now)
                    reader.take_points(points)
                else:
                    reader.take(records.spread(piece) if records else piece)
                piece = file.read(_PIECE_BYTES)
            if records:
                reader.take(records.rest())
    except OSError as error:
        raise FileUnreadable(str(path), error.strerror or type(error).__name__) from error
    return reader.reading()


def as_json(reading: RunReading) -> dict[str, Any]:
    """The run as data: plain values only, numbers that are none as ``"nan"``, ``"inf"``, ``"-inf"``."""
    main = primary(reading.series)
    return {
        "primary": main.metric if main else None,
        "metrics": {
            one.metric: {
                "points": reading.counts[one.metric],
                "first": _value(one.points[0].value),
                "last": _value(one.points[-1].value),
                "first_x": one.points[0].x,
                "last_x": one.points[-1].x,
                "nonfinite": len(one.points) - len(one.finite),
            }
            for one in reading.series
        },
        "verdicts": [{"kind": verdict.kind.value, **_fields(verdict)} for verdict in reading.verdicts],
        "diverged": reading.has_diverged,
        "oom": reading.outcome.oom,
        "traceback": reading.outcome.has_traceback,
        "ended": reading.outcome.ended.value,
        "last_epoch": reading.progress.epoch,
        "total_epochs": reading.progress.epochs,
    }


def _fields(verdict: Any) -> dict[str, Any]:
    return {field.name: _value(getattr(verdict, field.name)) for field in dataclasses.fields(verdict)}


def _value(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):  # a place on a curve
        return {"x": _value(value[0]), "value": _value(value[1])}
    return value.isoformat() if isinstance(value, datetime) else value
