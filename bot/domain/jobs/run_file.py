"""Trainers' files beside a job's output: which are read, how far each was, and the points in what is new."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.domain.jobs.files_seen import LATER, FilePiece, FilesSeen, FoundFile
from bot.domain.metrics import Point, Progress, ReaderState, Split, finish, meaning, read
from bot.domain.metrics.documents import spread, spread_tail
from bot.domain.metrics.event_file import EventState, read_events
from bot.domain.metrics.files import MOST_FILES, FileKind, kind_of, run_file, source_name, worth_reading
from bot.errors import ReaderMissing

TOO_BIG: Final = "too-big"
"""It is too big to be read whole, and its end alone says nothing."""
SET_ASIDE: Final = "set-aside"
"""Others that are newer are read in its place."""
_HEAD_BYTES: Final = 4096
_LONGEST_NAME: Final = 250
_STILL_WRITTEN_S: Final = 60.0
_UNSEEN_FOLDERS: Final = ("validation", "valid", "val", "eval", "evaluation", "test")


@dataclass(frozen=True, slots=True)
class RunFile:
    """One file, as far as it was read. Stored in one transaction with its points.

    ``source`` is what people are told, its `source_name`: of several files of one name (checkpoints) the latest holds.
    """

    job_id: str
    source: str
    path: str
    kind: FileKind
    inode: str = ""
    size_bytes: int = 0
    offset_bytes: int = 0
    """How far it was read; of a document, where the part that was read begins."""
    version: str = ""
    """Of a document: the state of it that there is."""
    read_version: str = ""
    """Of a document: the state of it that was read."""
    reader: ReaderState = field(default_factory=ReaderState)
    events: EventState = field(default_factory=EventState)
    progress: Progress = field(default_factory=Progress)
    starts_anew: bool = True
    """What is read next stands in place of all that was read."""
    is_finished: bool = False
    """The reader was told that nothing follows."""
    trouble: str = ""
    """Why it is not read; empty where it is."""

    @property
    def is_document(self) -> bool:
        """Whether it is read as a whole."""
        return self.kind is FileKind.DOCUMENT

    @property
    def is_unread(self) -> bool:
        """Whether there is more of it than was read."""
        if self.trouble:
            return False
        return self.read_version != self.version if self.is_document else self.offset_bytes < self.size_bytes

    def anew(self, seen: FoundFile, kind: FileKind | None = None) -> "RunFile":
        """The same source, to be read from its beginning."""
        fresh = RunFile(self.job_id, self.source, seen.path, kind or self.kind)
        return replace(fresh, inode=seen.inode, size_bytes=seen.size_bytes, version=seen.version)

    def seen(self, found: FoundFile) -> "RunFile":
        """As the machine sees it now."""
        is_other = found.path != self.path or (not self.is_document and found.inode != self.inode)
        if is_other or (not self.is_document and found.size_bytes < self.offset_bytes):
            return self.anew(found, run_file(found.path.rpartition("/")[2]) if found.path != self.path else None)
        trouble = self.trouble if found.version == self.version else ""
        now = replace(self, inode=found.inode, size_bytes=found.size_bytes, version=found.version, trouble=trouble)
        return now if not self.trouble or trouble else now.anew(found)

    def taken(self, piece: FilePiece, now: datetime) -> "Taken":
        """After what was told of it."""
        if piece.file is None:
            return Taken(replace(self, size_bytes=self.offset_bytes, version=self.read_version))
        file = self.seen(piece.file)
        if piece.trouble and piece.trouble != LATER:
            return Taken(replace(file, trouble=piece.trouble))
        if piece.content is None:
            return Taken(file)
        at = now - timedelta(seconds=piece.file.changed_ago_s)
        if file.is_document:
            return file._end(piece, piece.content, at) if piece.offset_bytes else file._whole(piece.content, at)
        if piece.offset_bytes != file.offset_bytes or not piece.content:
            return Taken(file)
        kind = kind_of(file.source, piece.content[:_HEAD_BYTES]) if file.offset_bytes == 0 else file.kind
        if kind is not file.kind:
            return Taken(file.anew(piece.file, kind))
        return file._further(piece.content, at)

    def _whole(self, content: bytes, at: datetime) -> "Taken":
        if kind_of(self.source, content) is FileKind.LINES and b"\n{" in content:
            return Taken(replace(self, kind=FileKind.LINES))  # one line when it was first seen, and more since
        state, points, _ = read(ReaderState(), spread(content), at)
        _, last, progress = finish(state, at)
        read_it = replace(self, read_version=self.version, offset_bytes=0, progress=progress, starts_anew=True)
        return Taken(read_it, (*points, *last), replaces=True)

    def _end(self, piece: FilePiece, content: bytes, at: datetime) -> "Taken":
        """Of a document that is too big: a list of records has its latest there, and the earlier ones were read while
        it was smaller, or are left out."""
        state, points, _ = read(ReaderState(), spread_tail(content), at)
        _, last, progress = finish(state, at)
        if not points or state.position.step is state.position.epoch is None:  # counted, it would begin at 1 again
            return Taken(replace(self, trouble=TOO_BIG))
        read_it = replace(self, read_version=self.version, offset_bytes=piece.offset_bytes, progress=progress)
        return Taken(replace(read_it, starts_anew=False), (*points, *last))

    def _further(self, content: bytes, at: datetime) -> "Taken":
        after = replace(self, offset_bytes=self.offset_bytes + len(content), starts_anew=False)
        if self.kind is not FileKind.EVENTS:
            reader, points, progress = read(self.reader, content, at)
            return Taken(replace(after, reader=reader, progress=progress), points, self.starts_anew)
        try:
            events, points = read_events(self.events, content, at)
        except ReaderMissing as error:
            return Taken(replace(self, trouble=error.code))
        points = tuple(_named_by_folder(point, self.path) for point in points)
        return Taken(replace(after, events=events), points, self.starts_anew)

    def finished(self, at: datetime) -> "Taken":
        """Nothing follows: the last line may lack its end. Repeatable; it is read once."""
        if self.is_finished or self.kind is not FileKind.LINES or self.trouble:
            return Taken(self)
        reader, points, progress = finish(self.reader, at)
        return Taken(replace(self, reader=reader, progress=progress, is_finished=True), points)


@dataclass(frozen=True, slots=True)
class NotWhole:
    """A file beside an output that was not read, or not all of it."""

    source: str
    size_bytes: int
    skipped_bytes: int
    """At its beginning, when it was read last."""
    trouble: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A file after a step, the points that are new, and whether they stand in place of all that it had."""

    file: RunFile
    points: tuple[Point, ...] = ()
    replaces: bool = False


def take_files(
    job_id: str, known: Sequence[RunFile], seen: FilesSeen, now: datetime, *, is_over: bool
) -> tuple[Taken, ...]:
    """All files of a job after a poll. ``is_over``: the job has ended, so that what was read to its end is finished."""
    files = {file.source: Taken(file) for file in known}
    for piece in seen.pieces:
        for source, before in files.items():
            if before.file.path == piece.path:
                files[source] = before.file.taken(piece, now)
                if is_over and seen.found is None:  # what others write to it now is not the job's
                    files[source] = _no_longer_than(before.file.size_bytes, files[source])
    if seen.found is not None:
        files = _with_found(job_id, files, seen.found)
    if not is_over:
        return tuple(files.values())
    return tuple(_at_the_end(taken, now) for taken in files.values())


def _with_found(job_id: str, files: dict[str, Taken], found: Iterable[FoundFile]) -> dict[str, Taken]:
    by_path = {one.path: one for one in found if len(one.path) <= 16 * _LONGEST_NAME}
    chosen = worth_reading((path, -one.changed_ago_s) for path, one in by_path.items())
    after = dict(files)
    names = set()
    for path in reversed(chosen):  # of two of one name the first is worth more, and holds
        name, one = source_name(path), by_path[path]
        kind = run_file(path.rpartition("/")[2])
        if kind is None or len(name) > _LONGEST_NAME:
            continue
        names.add(name)
        before = after.get(name)
        if before is None:
            after[name] = Taken(RunFile(job_id, name, path, kind).anew(one))
        elif not _is_still_written(before.file, by_path, one):
            after[name] = replace(before, file=before.file.seen(one))
    if len(after) > MOST_FILES:
        for name in after.keys() - names:
            after[name] = replace(after[name], file=replace(after[name].file, trouble=SET_ASIDE))
    return after


def _is_still_written(file: RunFile, by_path: Mapping[str, FoundFile], other: FoundFile) -> bool:
    """Whether another one of that name does not take its place: two that both grow would do so in turns."""
    own = by_path.get(file.path)
    if own is None or own is other or file.is_document:
        return False
    return own.changed_ago_s < other.changed_ago_s + _STILL_WRITTEN_S


def _no_longer_than(size_bytes: int, taken: Taken) -> Taken:
    file = taken.file
    return replace(taken, file=replace(file, size_bytes=max(file.offset_bytes, min(size_bytes, file.size_bytes))))


def _at_the_end(taken: Taken, now: datetime) -> Taken:
    if taken.file.is_unread:
        return taken
    last = taken.file.finished(now)
    return Taken(last.file, (*taken.points, *last.points), taken.replaces)


def _named_by_folder(point: Point, path: str) -> Point:
    """TensorBoard tells runs apart by folder: ``validation/events…`` has ``epoch_loss`` as ``train/events…`` does."""
    folder = path.split("/")[-2].lower() if "/" in path else ""
    meant = meaning(point.metric)
    if folder not in _UNSEEN_FOLDERS or meant is None or meant.split is not Split.TRAIN:
        return point
    return point._replace(metric=f"{folder}/{point.metric}")


def files_request(known: Sequence[RunFile]) -> list[dict[str, Any]]:
    """What is asked of the machine of files that are known: each from where it was read to."""
    return [
        {"path": file.path, "version": file.read_version}
        if file.is_document
        else {"path": file.path, "inode": file.inode, "offset": file.offset_bytes}
        for file in known
        if not file.trouble
    ]
