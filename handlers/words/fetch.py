"""What the archive holds of a lease, in words: by the records at once, by a look into it directly to the asker."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from bot.domain.fetching.browse import ArchivedFile, Child, Folder, Nothing, Several, Version
from bot.domain.fetching.run import NAMED_AT_MOST, SENT_AT_MOST_BYTES, FetchReport, Sized
from bot.domain.inventory.files import archived_as
from bot.ports.fetch_store import Holding
from bot.services.fetch import LISTED_AT_MOST, Fetched
from handlers.words.figures import moment
from handlers.words.paths import files_words, path_words, size_words
from handlers.words.sync import TROUBLE
from handlers.words.text import as_code, listed, plain

_LOOKING: Final = "I look into the archive itself now and tell you directly what is there."
_LONGEST_COMMAND: Final = 2000
_HIDDEN: Final = "the archive/"


def holdings_words(holdings: Sequence[Holding]) -> str:
    """Whose copies there are."""
    if not holdings:
        return "The archive holds nothing of your machines yet. `/gpu sync NAME` copies one to it."
    lines = [_holding(one) for one in holdings]
    most = [f"These are the {LISTED_AT_MOST} newest."] if len(holdings) >= LISTED_AT_MOST else []
    return "\n".join(["The archive holds of your machines:", *lines, *most, "`/gpu fetch NAME` lists one."])


def fetched_words(fetched: Fetched) -> str:
    """What the records say."""
    return "\n".join([*_found(fetched), *_others(fetched)])


def report_words(report: FetchReport) -> str:
    """What a look into the archive says."""
    return "\n".join(_reported(report))


def rclone_words(place: str, name: bytes, *, is_folder: bool) -> str:
    """The command that gets it, for any shell, whatever the name; nothing for a name that is too long to be shown."""
    shown = f"ARCHIVE{place.removeprefix(_HIDDEN)}" if place.startswith(_HIDDEN) else place
    source = shown.encode("utf-8", "surrogateescape") + (b"/" + name if name else b"")
    target = b"./" + (source.rstrip(b"/").rpartition(b"/")[2] or b"archive")
    odd = " --local-encoding Raw --sftp-encoding Raw" if _is_odd(name) else ""
    verb = "copy" if is_folder else "copyto"
    command = f"rclone {verb}{odd} -- {_quoted(source)} {_quoted(target)}"
    if len(command) > _LONGEST_COMMAND:
        return ""
    if place.startswith(_HIDDEN):
        command = f"# ARCHIVE stands for the destination, which is not shown: it may hold secrets\n{command}"
    return "```\n" + command.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "\n```"


def _holding(one: Holding) -> str:
    name = as_code(f"{one.lease.name}")
    state = str(one.lease.state).replace("_", " ")
    return f"• {name}: {files_words(one.files, one.size_bytes)} ({state}, rented {moment(one.lease.requested_at)})"


def _found(fetched: Fetched) -> Iterator[str]:
    name, found = f"*{fetched.lease.name}*", fetched.found
    match found:
        case Folder() if not found.files:
            yield f"No file of {name} has a verified copy in the archive. {_LOOKING}"
        case Folder():
            where = path_words(found.path, 120) if found.path else name
            yield f"The archive holds of {where}, by my records: {files_words(found.files, found.size_bytes)}, verified."
            if not found.children:
                yield "Those are too many to be listed at once; the list follows directly."
            yield from _children(found.children)
            yield _LOOKING
            yield rclone_words(fetched.place, archived_as(found.path) if found.path else b"", is_folder=True)
        case ArchivedFile():
            since = f" {moment(found.verified_at)}" if found.verified_at is not None else ""
            yield f"{path_words(found.path)} of {name}: {size_words(found.size_bytes)}, verified{since}."
            if 0 < found.size_bytes <= SENT_AT_MOST_BYTES:
                yield "I get it from the archive and send it to you directly."
            else:
                yield _too_large(fetched.place, archived_as(found.path), found.size_bytes)
                yield _LOOKING
        case Version():
            yield f"I look for {path_words(found.path)} in the archive and tell you directly."
        case Several():
            yield f"{len(found.files):,} files of {name} end so. Say which one:"
            for file in found.files[:NAMED_AT_MOST]:
                yield f"• {path_words(file.path, 200)} {size_words(file.size_bytes)}"
            if len(found.files) > NAMED_AT_MOST:
                yield f"• and {len(found.files) - NAMED_AT_MOST:,} more"
        case Nothing():
            near = [path_words(path, 120) for path in found.near]
            guess = f" Did you mean {listed(near, 'or')}?" if near else ""
            yield f"No file of {name} with a verified copy is called so.{guess} `/gpu fetch {fetched.lease.name}` lists them."


def _child(child: Child) -> str:
    if child.is_folder:
        return f"• {path_words(child.path + b'/', 120)} {files_words(child.files, child.size_bytes)}"
    return f"• {path_words(child.path, 120)} {size_words(child.size_bytes)}"


def _children(children: Sequence[Child]) -> Iterator[str]:
    yield from map(_child, children[:LISTED_AT_MOST])
    yield from _more(children)


def _more(children: Sequence[Child]) -> Iterator[str]:
    rest = children[LISTED_AT_MOST:]
    if rest:
        counted = files_words(sum(child.files for child in rest), sum(child.size_bytes for child in rest))
        yield f"• and {len(rest):,} more with {counted}"


def _others(fetched: Fetched) -> Iterator[str]:
    if fetched.others:
        named = [as_code(f"{other.name}-{other.id}") for other in fetched.others[:3]]
        yield f"Earlier machines had that name too: `fetch` takes {listed(named, 'or')} as well."


def _too_large(place: str, name: bytes, size_bytes: int) -> str:
    if not size_bytes:
        return "It is empty, and Slack takes no empty files."
    limit = size_words(SENT_AT_MOST_BYTES)
    return f"That is more than the {limit} that I send through Slack. This gets it:\n{rclone_words(place, name, is_folder=False)}"


def _reported(report: FetchReport) -> Iterator[str]:
    what = path_words(report.run.wanted, 200) if report.run.wanted else "all that the archive holds"
    yield f":file_cabinet: You asked for {what} of *{report.lease.name}* ({as_code(report.place, 200)})."
    if report.trouble is not None:
        detail = f" ({plain(report.detail)})" if report.detail else ""
        yield f":warning: I could not look into it: {TROUBLE.get(report.trouble, plain(report.trouble))}{detail}."
        return
    if report.confirmed_files:
        counted = files_words(report.confirmed_files, report.confirmed_bytes)
        yield f":white_check_mark: {counted} with a verified copy: there, in the size that was verified."
    yield from _children(report.children)
    if report.missing:
        yield f":warning: *{files_words(len(report.missing))} with a verified copy on record: not there now, or of another size.*"
        yield from _named([path_words(path, 200) for path in report.missing])
    yield from _sized("There, and never verified", report.unverified)
    yield from _sized("Earlier versions, kept when a copy replaced them", report.earlier)
    yield from _of_the_file(report)
    nothing = (report.confirmed_files, report.missing, report.unverified, report.earlier, report.file)
    if not any(nothing):
        yield "Nothing of it is there."


def _of_the_file(report: FetchReport) -> Iterator[str]:
    file = report.file
    if file is None:
        return
    if report.is_damaged:
        yield ":warning: *Its bytes are not those that were verified, or it could not be read*, so I do not send it."
    elif report.is_refused:
        yield f"Slack does not take the file. This gets it:\n{rclone_words(report.place, file.name, is_folder=False)}"
    elif report.is_to_be_sent:
        verified = (
            ", the bytes that were verified" if report.is_recorded else ", on no record: never verified by itself"
        )
        kind = "an earlier version" if report.run.wanted.startswith(b"earlier/") else size_words(file.size_bytes)
        yield f"It follows in this thread ({kind}{'' if kind == 'an earlier version' else verified})."
    else:
        yield _too_large(report.place, file.name, file.size_bytes)


def _sized(title: str, found: Sequence[Sized]) -> Iterator[str]:
    if found:
        yield f"{title}: {files_words(len(found), sum(one.size_bytes for one in found))}"
        yield from _named([f"{path_words(one.name, 200)} {size_words(one.size_bytes)}" for one in found])


def _named(names: Sequence[str]) -> Iterator[str]:
    yield from (f"• {name}" for name in names[:NAMED_AT_MOST])
    if len(names) > NAMED_AT_MOST:
        yield f"• and {len(names) - NAMED_AT_MOST:,} more"


def _is_odd(name: bytes) -> bool:
    return any(not (0x20 <= byte < 0x7F) for byte in name)


def _quoted(text: bytes) -> str:
    """One word of a shell: ``'…'`` for what can be seen, ``$'…'`` for all else."""
    shown = text.decode("utf-8", "surrogateescape")
    if all(letter == " " or (letter not in "'`\\" and unicodedata.category(letter)[0] not in "CZ") for letter in shown):
        return f"'{shown}'"
    safe = b"/._-+=:,@%"
    return (
        "$'"
        + "".join(chr(b) if chr(b).isascii() and (chr(b).isalnum() or b in safe) else f"\\x{b:02x}" for b in text)
        + "'"
    )
