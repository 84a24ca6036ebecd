"""What the first look at a machine printed, read as a checklist."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.domain.checklist import Checklist, Item, Line, Verdict


class Code(StrEnum):
    """In which way a line turned out. ``seen`` holds what the comment says, and is empty elsewhere."""

    ANSWERED = "answered"
    """ssh ok: it let us in and ran the script; seen: the user."""

    MARKED = "marked"
    """data-disk ok: the mark holds the volume's id; seen: the directory."""
    MOUNTED = "mounted"
    """data-disk ok: no mark was asked for, and a disk is mounted there; seen: the directory."""
    NO_VOLUME = "no-volume"
    """data-disk ok: the directory is there; the provider names no volume that it could be compared with."""
    MISSING = "missing"
    """data-disk fail: there is nothing at that path; seen: the path."""
    NOT_A_DIRECTORY = "not-a-directory"
    """data-disk fail; seen: the path."""
    NOT_ALLOWED = "not-allowed"
    """data-disk fail: the login user may not enter; disk-writable fail: may not write. seen: path, words."""
    NO_MARK = "no-mark"
    """data-disk fail: the directory is there without its mark: the disk is not mounted; seen: the directory."""
    OTHER_MARK = "other-mark"
    """data-disk fail: another volume's mark; seen: that mark."""
    NOT_MOUNTED = "not-mounted"
    """data-disk fail: no mark was asked for, and the path lies on another disk; seen: where that is mounted."""
    MARK_UNREADABLE = "mark-unreadable"
    """data-disk unknown: the mark is there and cannot be read; seen: the directory."""

    WRITABLE = "writable"
    """disk-writable ok: home and data path took a file, and gave it back."""
    NEARLY_FULL = "nearly-full"
    """disk-writable warn: less than 1 GiB is left; seen: where it is mounted, and MiB."""
    READ_ONLY = "read-only"
    """disk-writable fail; seen: path and the tool's words."""
    FULL = "full"
    """disk-writable fail: no space, no inode or over quota; seen: path and the tool's words."""
    WRITE_FAILED = "write-failed"
    """disk-writable fail: any other way; seen: path and the tool's words."""

    TIMED_OUT = "timed-out"
    """data-disk or disk-writable unknown: the disk did not answer in time; seen: the path."""
    NOT_SEEN = "not-seen"
    """data-disk or disk-writable unknown: the output does not say; seen: the path, if known."""


NEARLY_FULL_KIB: Final = 1024 * 1024
_KNOWN_KEY: Final = re.compile(
    r"(first_check|user|home|data_path|data_state|data_resolved|mark_state|mark|timed_out"
    r"|(?:home|data)_(?:write|write_seen|df))=(.*)"
)
_DF: Final = re.compile(r"(?P<source>.*?)\s+\d+\s+\d+\s+(?P<free_kib>-?\d{1,18})\s+(?:\d+%|-)\s+(?P<mount>/.*)")
_WRITE_FAILURES: Final = (
    ("read-only file system", Code.READ_ONLY),
    ("no space left", Code.FULL),
    ("quota exceeded", Code.FULL),
    ("permission denied", Code.NOT_ALLOWED),
    ("operation not permitted", Code.NOT_ALLOWED),
)
_SEVERITY: Final = (Verdict.OK, Verdict.WARN, Verdict.UNKNOWN, Verdict.FAIL)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The script's lines by key, and which looks did not end in time."""

    values: dict[str, str]
    timed_out: frozenset[str]

    def __getitem__(self, key: str) -> str:
        return self.values.get(key, "")


def parse(text: str, *, volume_id: str | None, at: datetime) -> Checklist:
    """The checklist of one look: ssh, data-disk, disk-writable.

    ``text`` is what ``first_check.sh`` printed; any text gives a checklist, and what it does not say is unknown.
    ``volume_id``: the identity of the disk that the provider promised, where it names one.
    """
    seen = _read(text)
    lines = (
        Line(Item.SSH, Verdict.OK, Code.ANSWERED, seen["user"]),
        _data_disk(seen, volume_id),
        _disk_writable(seen),
    )
    return Checklist(lines, at)


def _read(text: str) -> _Seen:
    values: dict[str, str] = {}
    timed_out: set[str] = set()
    for line in text.split("\n"):
        found = _KNOWN_KEY.fullmatch(line.rstrip())
        if found is None:
            continue
        if found[1] == "timed_out":
            timed_out.add(found[2])
        else:
            values.setdefault(found[1], found[2].strip())
    return _Seen(values if "first_check" in values else {}, frozenset(timed_out))


def _data_disk(seen: _Seen, volume_id: str | None) -> Line:
    path = seen["data_path"]
    match seen["data_state"]:
        case "directory":
            verdict, code, words = _right_disk(seen, volume_id)
        case "missing":
            verdict, code, words = Verdict.FAIL, Code.MISSING, path
        case "not-a-directory":
            verdict, code, words = Verdict.FAIL, Code.NOT_A_DIRECTORY, path
        case "denied":
            verdict, code, words = Verdict.FAIL, Code.NOT_ALLOWED, path
        case _:
            code = Code.TIMED_OUT if "data_state" in seen.timed_out else Code.NOT_SEEN
            verdict, words = Verdict.UNKNOWN, path
    return Line(Item.DATA_DISK, verdict, code, words)


def _right_disk(seen: _Seen, volume_id: str | None) -> tuple[Verdict, Code, str]:
    where = seen["data_resolved"] or seen["data_path"]
    if not volume_id:
        return Verdict.OK, Code.NO_VOLUME, where
    match seen["mark_state"]:
        case "present" if seen["mark"] == volume_id.strip():
            return Verdict.OK, Code.MARKED, where
        case "present":
            return Verdict.FAIL, Code.OTHER_MARK, seen["mark"]
        case "missing":
            return Verdict.FAIL, Code.NO_MARK, where
        case "unreadable":
            return Verdict.UNKNOWN, Code.MARK_UNREADABLE, where
        case "not-asked" if sizes := _DF.fullmatch(seen["data_df"]):
            if sizes["mount"] == seen["data_resolved"]:
                return Verdict.OK, Code.MOUNTED, where
            return Verdict.FAIL, Code.NOT_MOUNTED, sizes["mount"]
    code = Code.TIMED_OUT if seen.timed_out & {"data_state", "data_df"} else Code.NOT_SEEN
    return Verdict.UNKNOWN, code, where


def _disk_writable(seen: _Seen) -> Line:
    looks = (_writable(seen, "data", seen["data_path"]), _writable(seen, "home", seen["home"]))
    verdict, code, words = max(looks, key=lambda look: _SEVERITY.index(look[0]))
    return Line(Item.DISK_WRITABLE, verdict, code, words)


def _writable(seen: _Seen, name: str, path: str) -> tuple[Verdict, Code, str]:
    match seen[f"{name}_write"]:
        case "ok":
            sizes = _DF.fullmatch(seen[f"{name}_df"])
            if sizes is not None and int(sizes["free_kib"]) < NEARLY_FULL_KIB:
                return Verdict.WARN, Code.NEARLY_FULL, f"{sizes['mount']} {int(sizes['free_kib']) // 1024} MiB"
            return Verdict.OK, Code.WRITABLE, ""
        case "failed":
            words = seen[f"{name}_write_seen"]
            codes = (code for phrase, code in _WRITE_FAILURES if phrase in words.lower())
            return Verdict.FAIL, next(codes, Code.WRITE_FAILED), f"{path}: {words}"
    if f"{name}_write" in seen.timed_out:
        return Verdict.UNKNOWN, Code.TIMED_OUT, path
    return Verdict.UNKNOWN, Code.NOT_SEEN, path
