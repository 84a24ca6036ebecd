"""The lines about disks: the data disk is there, both take a file, and there is room."""

from typing import Final

from bot.domain.checklist import Item, Line, Verdict
from bot.domain.health.codes import Code
from bot.domain.health.df import DiskRow, inodes_full, is_full, is_nearly_full, read_df, read_only_mounts
from bot.domain.health.output import Seen

_WRITE_FAILURES: Final = (
    ("read-only file system", Code.READ_ONLY),
    ("no space left", Code.FULL),
    ("quota exceeded", Code.FULL),
    ("permission denied", Code.NOT_ALLOWED),
    ("operation not permitted", Code.NOT_ALLOWED),
)
_SEVERITY: Final = (Verdict.OK, Verdict.WARN, Verdict.UNKNOWN, Verdict.FAIL)
_Look = tuple[Verdict, Code, str]


def data_disk(seen: Seen, volume_id: str | None) -> Line:
    """``volume_id``: the identity of the disk that the provider promised, where it names one."""
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


def disk_writable(seen: Seen) -> Line:
    """Home and data path; the worse of both."""
    looks = (_writable(seen, "data", seen["data_path"]), _writable(seen, "home", seen["home"]))
    return Line(Item.DISK_WRITABLE, *_worst(looks))


def disk_space(seen: Seen) -> Line:
    """Room and inodes on the disks of home and data path; the worst of them."""
    rows = {name: _row(seen, f"{name}_df") for name in ("data", "home")}
    inodes = {name: _row(seen, f"{name}_df_inodes") for name in ("data", "home")}
    looks = [
        *(_space(row) for row in rows.values() if row is not None),
        *((Verdict.FAIL, Code.INODES_FULL, row.words) for row in inodes.values() if row and inodes_full(row)),
    ]
    if any(row is None for row in rows.values()):
        timed_out = seen.timed_out & {"data_df", "home_df"}
        looks.append((Verdict.UNKNOWN, Code.TIMED_OUT if timed_out else Code.NOT_SEEN, seen["data_path"]))
    verdict, code, words = _worst(looks)
    if verdict is Verdict.OK:
        words = ", ".join(dict.fromkeys(look[2] for look in looks))
    return Line(Item.DISK_SPACE, verdict, code, words)


def _worst(looks: "list[_Look] | tuple[_Look, ...]") -> _Look:
    return max(looks, key=lambda look: _SEVERITY.index(look[0]))


def _row(seen: Seen, key: str) -> DiskRow | None:
    return next(iter(read_df(seen[key])), None)


def _space(row: DiskRow) -> _Look:
    left = f"{row.words}, {_amount(row.free)} left"
    if is_full(row):
        return Verdict.FAIL, Code.FULL, left
    return (Verdict.WARN, Code.NEARLY_FULL, left) if is_nearly_full(row) else (Verdict.OK, Code.SPACE_LEFT, left)


def _amount(kib: int | None) -> str:
    if kib is None:
        return "an unknown amount"
    mib = kib // 1024
    return f"{mib} MiB" if mib < 10 * 1024 else f"{mib // 1024} GiB"


def _right_disk(seen: Seen, volume_id: str | None) -> _Look:
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
        case "not-asked" if (row := _row(seen, "data_df")) is not None:
            if row.mount == seen["data_resolved"]:
                return Verdict.OK, Code.MOUNTED, where
            return Verdict.FAIL, Code.NOT_MOUNTED, row.mount
    code = Code.TIMED_OUT if seen.timed_out & {"data_state", "data_df"} else Code.NOT_SEEN
    return Verdict.UNKNOWN, code, where


def _writable(seen: Seen, name: str, path: str) -> _Look:
    match seen[f"{name}_write"]:
        case "ok":
            return Verdict.OK, Code.WRITABLE, ""
        case "failed":
            words = seen[f"{name}_write_seen"]
            codes = [code for phrase, code in _WRITE_FAILURES if phrase in words.lower()]
            if not codes and read_only_mounts(seen[f"{name}_mount"]):
                codes = [Code.READ_ONLY]
            return Verdict.FAIL, codes[0] if codes else Code.WRITE_FAILED, f"{path}: {words}"
    if f"{name}_write" in seen.timed_out:
        return Verdict.UNKNOWN, Code.TIMED_OUT, path
    return Verdict.UNKNOWN, Code.NOT_SEEN, path
