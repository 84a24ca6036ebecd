"""The whole list of what a question was about, as a file and in words."""

from bot.domain.inventory.list_wish import ListFile
from handlers.words.figures import moment
from handlers.words.paths import files_words, path_shown
from handlers.words.text import as_code

SHORT = 8
"""So much of a question's number tells it from the others of its lease."""


def list_file_words(found: ListFile) -> str:
    """What is sent."""
    listed = found.listed
    differs = (
        ""
        if listed.is_whole
        else " It was taken right after the look and differs from it: something was written in between."
    )
    return (
        f"The list that question {as_code(found.question.id[:SHORT])} about *{found.lease.name}*, asked "
        f"{moment(found.question.asked_at)}, is kept with: {files_words(listed.files)}. It is in this thread.{differs}"
    )


def list_file_name(found: ListFile) -> str:
    """A name that every computer takes."""
    return f"{found.lease.name}-{found.question.id[:SHORT]}.tsv"


def list_file_content(found: ListFile) -> bytes:
    """A line each: bytes, a tab, and the path as it is shown in messages, so that a newline in it stays one line."""
    lines = (f"{size_bytes}\t{path_shown(path)}\n" for size_bytes, path in found.listed.lines(found.listed.files))
    return "".join(("bytes\tpath\n", *lines)).encode()
