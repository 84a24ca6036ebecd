"""What was read of a job's output: its end, and the reader of its metrics, moved over each byte once."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.domain.metrics import Point, Progress, ReaderState, finish, read
from bot.domain.metrics.state import Position

TAIL_BYTES: Final = 64 * 1024
# From the line's beginning: tried at every byte of it, it would cost the line's length for each.
_LONG_LINE: Final = re.compile(rb"(?:^|(?<=[\r\n]))([^\r\n]{2000})[^\r\n]+")


@dataclass(frozen=True, slots=True)
class JobOutput:
    """How far one job's output was read. Stored in one transaction with the job's offset and the points."""

    job_id: str
    tail: bytes = b""
    """The last `TAIL_BYTES` of it, of enormous lines the beginning."""
    reader: ReaderState = field(default_factory=ReaderState)
    progress: Progress = field(default_factory=Progress)
    output_at: datetime | None = None
    """When output last came."""
    is_finished: bool = False
    """The reader was told that nothing follows."""

    def taken(self, piece: bytes, at: datetime) -> tuple["JobOutput", tuple[Point, ...]]:
        """After the next bytes of the output, with the points in them."""
        if not piece:
            return self, ()
        reader, points, progress = read(self.reader, piece, at)
        after = replace(
            self,
            tail=_tail_of(self.tail + piece),
            reader=reader,
            progress=self.progress if progress == Progress() else progress,
            output_at=at,
        )
        return after, points

    def emptied(self) -> "JobOutput":
        """Somebody emptied the log: what comes next does not go on with the half line that is kept."""
        return replace(self, reader=replace(self.reader, half_line="", half_line_cut=False))

    def finished(self, at: datetime) -> tuple["JobOutput", tuple[Point, ...]]:
        """Nothing follows: the last line may lack its end. Repeatable; it is read once."""
        if self.is_finished:
            return self, ()
        reader, points, progress = finish(self.reader, at)
        told = self.progress if progress == Progress() else progress
        return replace(self, reader=reader, progress=told, is_finished=True), points

    def went_on(self, progress: Progress, at: datetime) -> "JobOutput":
        """A file beside it went on, and says how far the run has come; that holds where the output has never said."""
        has_own = self.progress != Progress() and self.reader.position != Position()
        return replace(self, progress=self.progress if has_own else progress, output_at=at)


def _tail_of(output: bytes) -> bytes:
    """Its last `TAIL_BYTES`, once enormous lines are cut; only as much of its end is looked at as that takes."""
    window = 2 * TAIL_BYTES
    while window < len(output):
        _, end, whole_lines = output[-window:].replace(b"\r", b"\n").partition(b"\n")
        part = output[len(output) - len(whole_lines) :] if end else b""
        cut = _LONG_LINE.sub(rb"\1", part)
        if len(cut) >= TAIL_BYTES:
            return cut[-TAIL_BYTES:]
        window *= 4
    return _LONG_LINE.sub(rb"\1", output)[-TAIL_BYTES:]
