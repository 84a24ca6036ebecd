"""Trainers' files as the machine tells of them: only the job's own, no links, in bounded pieces."""

from collections.abc import Sequence
from pathlib import Path

from bot.domain.jobs.files_seen import FilesSeen
from bot.domain.jobs.job import Job
from bot.domain.jobs.requests import poll_request
from bot.domain.jobs.run_file import RunFile, take_files
from bot.domain.jobs.status import Seen
from bot.domain.metrics.files import FileKind
from bot.ports.remote import Step
from tests.remote.jobs.world import AT, TIMING, Machine, new_job

ROW = b"12345,0.5\n"


def look(machine: Machine, job: Job, known: Sequence[RunFile] = ()) -> FilesSeen:
    """One poll, in which the directory is looked through."""
    request = poll_request([job], TIMING, {job.id: known}, AT)
    return machine.step(Step.POLL_JOB, request).jobs[job.id].files


def ran(machine: Machine, folder: Path, command: str) -> Job:
    """A job that has ended there."""
    folder.mkdir()
    job = new_job(command, directory=str(folder))
    machine.start(job)
    machine.ended(job)
    return job


def test_its_own_files_are_found_and_nothing_else(machine: Machine, home: Path) -> None:
    folder = home / "found"
    command = (
        "mkdir -p out/checkpoint-5 .hidden a/b/c/d/e/f/g; echo old > elsewhere.txt; "
        "for f in results.csv out/checkpoint-5/trainer_state.json .hidden/metrics.csv a/b/c/d/e/f/g/metrics.csv "
        "data.csv; do echo x > $f; done; ln -s /etc/passwd metrics.csv; ln -s / root; mkfifo log.jsonl; "
        "echo x > progress.csv; touch -d '1 hour ago' progress.csv"
    )
    job = ran(machine, folder, command)
    seen = look(machine, job)
    assert seen.found is not None
    assert {one.path for one in seen.found} == {"results.csv", "out/checkpoint-5/trainer_state.json"}
    paths = ("../.bashrc", "/etc/passwd", "metrics.csv", "log.jsonl")
    outside = [RunFile(job.id, path, path, FileKind.LINES) for path in paths]
    assert all(piece.file is None for piece in look(machine, job, outside).pieces)


def test_a_long_table_comes_in_pieces_and_each_byte_once(machine: Machine, home: Path) -> None:
    rows = 300_000
    job = ran(machine, home / "long", f"yes '{ROW.decode().strip()}' | head -n {rows} > results.csv")
    known: tuple[RunFile, ...] = ()
    taken = 0
    for _ in range(12):
        seen = look(machine, job, known)
        taken += sum(len(piece.content or b"") for piece in seen.pieces)
        assert all(len(piece.content or b"") <= TIMING.piece_bytes for piece in seen.pieces)
        known = tuple(one.file for one in take_files(job.id, known, seen, AT, is_over=True))
        if known and not known[0].is_unread:
            break
    assert taken == rows * len(ROW)


def test_a_document_that_is_known_is_not_sent_again(machine: Machine, home: Path) -> None:
    job = ran(machine, home / "document", "echo '{\"loss\": [3, 2, 1]}' > history.json")
    first = take_files(job.id, (), look(machine, job), AT, is_over=True)
    (second,) = take_files(job.id, [one.file for one in first], look(machine, job, [one.file for one in first]), AT,
                           is_over=True)  # fmt: skip
    assert [point.value for point in second.points] == [3, 2, 1]
    assert look(machine, job, [second.file]).pieces[0].content is None


LARGE = """python3 - <<'END'
import random
records = ", ".join('{"epoch": %.9f, "loss": %r, "step": %d}' % (n / 9e4, random.random(), n) for n in range(ROWS))
open("trainer_state.json", "w").write('{"log_history": [' + records + '], "max_steps": 99}')
END"""


def test_of_a_document_that_is_too_big_a_bounded_end_is_sent(machine: Machine, home: Path) -> None:
    """Above 16 MiB, or where it cannot be packed well; its end is cut so that it fits."""
    for rows, least in ((90_000, 2**20), (400_000, 2**24)):
        job = ran(machine, home / f"large{rows}", LARGE.replace("ROWS", str(rows)))
        found = [one.file for one in take_files(job.id, (), look(machine, job), AT, is_over=True)]
        assert found[0].size_bytes > least
        seen = look(machine, job, found)
        assert 2**18 <= len(seen.pieces[0].content or b"") <= 2**23
        (taken,) = take_files(job.id, found, seen, AT, is_over=True)
        assert taken.file.offset_bytes + len(seen.pieces[0].content or b"") == taken.file.size_bytes
        assert (max(point.x for point in taken.points), taken.file.progress.steps) == (rows - 1, 99)
        assert len(taken.points) > 4000
        assert not taken.file.is_unread
        assert look(machine, job, [taken.file]).pieces[0].content is None


def test_a_job_beside_another_in_one_directory_has_no_files(machine: Machine, home: Path) -> None:
    folder = home / "shared"
    folder.mkdir()
    other = new_job("touch up; sleep 60", directory=str(folder))
    machine.start(other)
    machine.until(other, lambda status: status.seen is Seen.RUNNING and (folder / "up").exists())
    below = ran(machine, folder / "below", "echo 'step,loss' > metrics.csv")
    assert look(machine, below).found == ()
    machine.kill(other)
    machine.ended(other)
    after = new_job("echo 'step,loss' > metrics.csv", directory=str(folder))
    machine.start(after)
    machine.ended(after)
    found = look(machine, after).found
    assert found is not None
    assert [one.path for one in found] == ["metrics.csv"]
