"""TensorBoard event files, piece by piece: each record is a length, checksums and a message, which tensorboardX reads.

Scalars alone are read, also those that TensorFlow 2 writes as tensors; pictures, histograms and graphs are passed over,
and the biggest are never held in memory.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from bot.domain.metrics.names import meaning
from bot.domain.metrics.point import Point, XKind
from bot.errors import ReaderMissing

MOST_RECORD_BYTES: Final = 256 * 1024
"""A scalar takes less than one hundredth of it."""
_HEAD: Final = struct.Struct("<QI")
_FOOT_BYTES: Final = 4
_MOST_LENGTH: Final = 1 << 32
_FORMATS: Final = {1: "<f", 2: "<d", 3: "<i", 9: "<q"}  # of TensorFlow's DataType
_FIELDS: Final = {1: "float_val", 2: "double_val", 3: "int_val", 9: "int64_val"}
_FIRST_RECORD: Final = b"brain.Event:"


@dataclass(frozen=True, slots=True)
class EventState:
    """What is kept between two pieces; plain values. ``half``: the unfinished record, one character a byte."""

    half: str = ""
    to_skip: int = 0
    """Bytes of a big record that are still to come."""
    is_broken: bool = False
    """What came is no record: nothing after it can be found."""


def looks_like_events(head: bytes) -> bool:
    """Whether a file that begins so is an event file: its first record names the format's version."""
    return _FIRST_RECORD in head[:64]


def read_events(state: EventState, chunk: bytes, at: datetime) -> tuple[EventState, tuple[Point, ...]]:
    """The points in the next ``chunk`` of an event file. ``at`` is for events without a time of their own.

    Raises:
        ReaderMissing: tensorboardX is not installed.
    """
    if state.is_broken:
        return state, ()
    data = state.half.encode("latin-1") + chunk[state.to_skip :]
    to_skip = max(0, state.to_skip - len(chunk))
    points: list[Point] = []
    start, is_broken = 0, False
    while len(data) - start >= _HEAD.size:
        length, _ = _HEAD.unpack_from(data, start)
        end = start + _HEAD.size + length + _FOOT_BYTES
        if length > _MOST_LENGTH:
            start, is_broken = len(data), True
        elif length > MOST_RECORD_BYTES:
            to_skip, start = max(0, end - len(data)), min(end, len(data))
        elif end > len(data):
            break
        else:
            points += _points(data[start + _HEAD.size : end - _FOOT_BYTES], at)
            start = end
    return EventState(data[start:].decode("latin-1"), to_skip, is_broken), tuple(points)


def _points(record: bytes, at: datetime) -> Iterator[Point]:
    event_type, decode_error = _event_reader()
    try:
        event = event_type.FromString(record)
    except decode_error:  # a torn write
        return
    for value in event.summary.value:
        number = _scalar(value)
        if number is not None and meaning(value.tag) is not None:
            yield Point(value.tag, float(event.step), XKind.STEP, number, _time(event.wall_time, at))


def _scalar(value: Any) -> float | None:
    if value.HasField("simple_value"):
        return float(value.simple_value)
    if not value.HasField("tensor") or value.tensor.tensor_shape.dim or value.tensor.dtype not in _FORMATS:
        return None
    packed, listed = value.tensor.tensor_content, getattr(value.tensor, _FIELDS[value.tensor.dtype])
    if listed:
        return float(listed[0])
    layout = _FORMATS[value.tensor.dtype]
    return float(struct.unpack(layout, packed)[0]) if len(packed) == struct.calcsize(layout) else None


def _time(seconds: float, otherwise: datetime) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds > 0 else otherwise
    except (ValueError, OverflowError, OSError):
        return otherwise


def _event_reader() -> tuple[Any, type[Exception]]:
    """The message, and what it raises."""
    try:
        from google.protobuf.message import DecodeError  # noqa: PLC0415 - an extra, loaded where it is used
        from tensorboardX.proto.event_pb2 import Event  # noqa: PLC0415
    except ImportError as error:
        raise ReaderMissing("tensorboard") from error
    return Event, DecodeError
