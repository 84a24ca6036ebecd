"""A copy to the archive in words: how far it is, then a true statement of what is and is not safe."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.domain.inventory.inventory import WhyUnknown
from bot.domain.sync import SyncRun
from bot.domain.views import SyncView
from handlers.words.figures import moment, span
from handlers.words.inventory import WHY_UNKNOWN
from handlers.words.paths import files_words, path_words, size_words
from handlers.words.text import as_code, plain

_WHY: Final[Mapping[str, str]] = {
    "differs": "changed while it was copied",
    "missing": "the archive does not hold it",
    "not-read-back": "copied, but the archive tells no hash of it",
    "gone": "gone meanwhile",
    "unreadable": "the login user may not read it",
    "not-a-file": "no file any more",
    "changing": "is being written",
    "not-reached": "not reached",
    "trouble": "could not be read",
}
TROUBLE: Final[Mapping[str, str]] = {
    "no-archive": "the archive is not usable: rclone does not know the destination in `ARCHIVE`",
    "destination-refused": "the archive refuses files: look at its credentials and permissions",
    "destination-full": "the archive is full",
    "destination-away": "the archive does not answer",
    "connection-cut": "the connection to the machine was cut",
    "unreachable": "the machine could not be reached",
    "host-key-changed": "the machine shows another host key than before",
    "login-refused": "the machine does not let me log in",
    "step-timed-out": "the machine did not answer in time",
    "step-garbled": "the machine did not answer sensibly",
    "stalled": "nothing moved any more",
    "vault-locked": "the machine's own key cannot be opened",
    **{why.value: words for why, words in WHY_UNKNOWN.items() if why.value not in ("unreachable", "login-refused")},
}


def sync_words(view: SyncView) -> str:
    """The whole message."""
    run, name = view.run, f"*{view.lease.name}*"
    if run.ended_at is None:
        return "\n".join(_under_way(run, name))
    return "\n".join(_ended(run, name))


def result_lines(run: SyncRun) -> Iterator[str]:
    """What is safe, and what is not and why."""
    if run.files:
        yield f":white_check_mark: {files_words(run.files, run.size_bytes)} verified in {as_code(run.place, 200)}."
    if run.trouble is not None:
        detail = f" ({plain(run.detail)})" if run.detail else ""
        yield f":warning: It ended early: {TROUBLE.get(run.trouble, plain(run.trouble))}{detail}."
    if run.not_safe_files:
        named = [f"• {path_words(file.path, 120)}: {_WHY.get(file.why, plain(file.why))}" for file in run.not_safe]
        more = run.not_safe_files - len(named)
        yield f":warning: *Not safe: {files_words(run.not_safe_files)}.*"
        yield from named
        if more:
            yield f"• and {more:,} more"


def _only(run: SyncRun) -> str:
    named = [path_words(path.encode("utf-8", "surrogateescape"), 80) for path in run.paths[:5]]
    more = f" and {len(run.paths) - 5} more" if len(run.paths) > 5 else ""
    return f", only {', '.join(named)}{more}" if named else ""


def _under_way(run: SyncRun, name: str) -> Iterator[str]:
    if run.started_at is None:
        yield f"{name}: a copy to the archive is asked for by <@{run.asked_by}> and begins in a moment."
        return
    done = run.size_bytes + run.copied_bytes
    yield f":floppy_disk: {name} is being copied to {as_code(run.place, 200)} for <@{run.asked_by}>{_only(run)}."
    if run.total_files:
        rate = f", {size_words(round(run.bytes_per_s))} a second" if run.bytes_per_s >= 1 else ""
        left_s = (run.total_bytes - done) / run.bytes_per_s if run.bytes_per_s >= 1 else 0
        left = f", about {span(left_s)} left" if left_s >= 1 else ""
        whole = files_words(run.total_files, run.total_bytes)
        yield f"{size_words(done)} of {whole}{rate}{left}. Verified so far: {files_words(run.files, run.size_bytes)}."


def _ended(run: SyncRun, name: str) -> Iterator[str]:
    when = f" {moment(run.ended_at)}" if run.ended_at is not None else ""
    yield f":floppy_disk: The copy of {name} for <@{run.asked_by}>{_only(run)} ended{when}."
    lines = list(result_lines(run))
    yield from lines
    if run.why_unknown is not None:
        why = WHY_UNKNOWN[WhyUnknown(run.why_unknown)]
        yield f"What else is on it is unknown: {why}."
        return
    if run.paths and run.trouble is None and not (run.files or run.not_safe_files):
        yield "Nothing there lacked a verified copy, or nothing there is watched: `/gpu watch NAME PATH` adds a path."
    if run.left_files:
        yield f"*On the machine and in no verified copy: {files_words(run.left_files, run.left_bytes)}.*"
    elif not run.paths or run.files:
        yield "Every file that is watched on it has a verified copy, or was there at hand-over."
