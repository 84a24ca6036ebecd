"""Files beside an output: which are read, from where each goes on, and when it begins anew."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.files_seen import LATER, FilePiece, FilesSeen, FoundFile, read_files
from bot.domain.jobs.run_file import SET_ASIDE, TOO_BIG, RunFile, Taken, files_request, take_files
from bot.domain.metrics.files import FileKind
from tests.domain.metrics.reading import AT

CSV = b"step,loss\n1,3.0\n2,2.0\n3,1"
STATE = b'{"log_history": [{"step": 1, "loss": 3.0}, {"step": 2, "loss": 2.5}]}'


def found(path: str, size: int = 10, inode: str = "1", version: str = "", ago_s: float = 0.0) -> FoundFile:
    return FoundFile(path, size, inode, version or f"{inode}-{size}", ago_s)


def step(known: tuple[RunFile, ...], *pieces: FilePiece, walk: tuple[FoundFile, ...] | None = None,
         is_over: bool = False) -> tuple[Taken, ...]:  # fmt: skip
    return take_files("j1", known, FilesSeen(walk, pieces), AT, is_over=is_over)


def begun(*walk: FoundFile) -> tuple[RunFile, ...]:
    return tuple(taken.file for taken in step((), walk=walk))


def test_a_table_is_read_on_and_finished_at_the_end() -> None:
    (file,) = begun(found("results.csv", len(CSV)))
    assert files_request([file]) == [{"path": "results.csv", "inode": "1", "offset": 0}]
    (first,) = step((file,), FilePiece("results.csv", found("results.csv", len(CSV)), 0, CSV))
    assert [(point.x, point.value) for point in first.points] == [(1, 3.0), (2, 2.0)]
    assert first.replaces
    assert not first.file.is_unread
    more = FilePiece("results.csv", found("results.csv", len(CSV) + 2), len(CSV), b".5")
    (last,) = step((first.file,), more, is_over=True)
    assert [(point.x, point.value) for point in last.points] == [(3, 1.5)]
    assert not last.replaces
    assert step((last.file,), is_over=True) == (Taken(last.file),)


def test_another_inode_or_a_shorter_file_begins_anew() -> None:
    (file,) = begun(found("results.csv", len(CSV)))
    (read,) = step((file,), FilePiece("results.csv", found("results.csv", len(CSV)), 0, CSV))
    for seen in (found("results.csv", 99, "2"), found("results.csv", 5)):
        (taken,) = step((read.file,), FilePiece("results.csv", seen))
        assert (taken.file.offset_bytes, taken.file.starts_anew, taken.file.is_unread) == (0, True, True)
    (gone,) = step((replace(read.file, size_bytes=999),), FilePiece("results.csv"))
    assert not gone.file.is_unread


def test_a_document_is_read_whole_whenever_it_changed() -> None:
    (file,) = begun(found("a/trainer_state.json"))
    assert files_request([file]) == [{"path": "a/trainer_state.json", "version": ""}]
    (taken,) = step((file,), FilePiece(file.path, found(file.path), 0, STATE))
    assert [(point.x, point.value) for point in taken.points] == [(1, 3.0), (2, 2.5)]
    assert taken.replaces
    assert not taken.file.is_unread
    (later,) = step((taken.file,), FilePiece(file.path, found(file.path, 20), trouble=LATER))
    assert later.file.is_unread
    (big,) = step((taken.file,), FilePiece(file.path, found(file.path, 20), trouble="too-big"))
    assert (big.file.is_unread, files_request([big.file])) == (False, [])
    (newer,) = step((taken.file,), walk=(found("a/trainer_state.json", ago_s=9), found("b/trainer_state.json", 7)))
    assert (newer.file.path, newer.file.is_unread) == ("b/trainer_state.json", True)


def test_of_a_document_that_is_too_big_the_end_is_read_and_what_was_read_before_stays() -> None:
    file_of_it = found("a/trainer_state.json", 10**8)
    records = b'    {\n "epoch": 0.5,\n "loss": 2.5,\n "step": 9\n}, {"step": 10, "loss": 2.25}],\n "max_steps": 20}'
    tail = b'2.75,"step": 8},\n' + records
    (file,) = begun(file_of_it)
    (taken,) = step((file,), FilePiece(file.path, file_of_it, 10**8 - len(tail), tail))
    assert [(point.x, point.value) for point in taken.points] == [(9, 2.5), (10, 2.25)]
    assert not taken.replaces
    assert (taken.file.is_unread, taken.file.offset_bytes, taken.file.trouble) == (False, 10**8 - len(tail), "")
    assert taken.file.progress.steps == 20
    for says_nothing in (b"1.5, 1.25], " + b"2.5, " * 99, b'}, {"loss": 2.5}, {"loss": 2.25}]'):
        (left,) = step((file,), FilePiece(file.path, file_of_it, 10**7, says_nothing))
        assert (left.points, left.file.trouble, left.file.is_unread) == ((), TOO_BIG, False)
    small = found("a/trainer_state.json", len(STATE))
    (whole,) = step((taken.file,), FilePiece(file.path, small, 0, STATE))
    assert (whole.file.offset_bytes, whole.replaces) == (0, True)


def test_of_two_tables_that_both_grow_one_is_read() -> None:
    (file,) = begun(found("a/metrics.csv", ago_s=1), found("b/metrics.csv", 5, "2", ago_s=30))
    assert file.path == "a/metrics.csv"
    (same,) = step((file,), walk=(found("a/metrics.csv", ago_s=20), found("b/metrics.csv", 5, "2")))
    assert same.file.path == "a/metrics.csv"
    (other,) = step((file,), walk=(found("a/metrics.csv", ago_s=300), found("b/metrics.csv", 5, "2")))
    assert (other.file.path, other.file.starts_anew) == ("b/metrics.csv", True)


def test_what_is_in_a_file_decides_how_it_is_read() -> None:
    (file,) = begun(found("metrics.json", len(STATE)))
    assert file.kind is FileKind.LINES
    (taken,) = step((file,), FilePiece("metrics.json", found("metrics.json", len(STATE)), 0, STATE))
    assert (taken.file.kind, taken.points, taken.file.is_unread) == (FileKind.DOCUMENT, (), True)


def test_not_more_than_eight() -> None:
    names = [f"run{number}/events.out.tfevents.{number}.h" for number in range(12)]
    files = begun(*(found(name, ago_s=100 - number) for number, name in enumerate(names)))
    assert len(files) == 8
    after = step(files, walk=tuple(found(name, ago_s=number) for number, name in enumerate(names)))
    assert sum(not taken.file.trouble for taken in after) == 8
    assert {taken.file.trouble for taken in after} == {"", SET_ASIDE}


def test_after_the_end_a_file_that_others_write_to_has_an_end() -> None:
    (file,) = begun(found("results.csv", len(CSV)))
    (taken,) = step((file,), FilePiece("results.csv", found("results.csv", 10**9), 0, CSV), is_over=True)
    assert not taken.file.is_unread


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["path", "size", "inode", "version", "changed_ago_s", "output", "document", "gone", "offset"]),
        inner, max_size=6),
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["files", "pieces"]), _ANY))
def test_any_answer_can_be_read(line: dict[str, object]) -> None:
    seen = read_files(line)
    take_files("j1", begun(found("results.csv")), seen, AT, is_over=True)
