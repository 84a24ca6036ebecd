"""Disks: any output gives a checklist, and only what was seen is good."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.checklist import Item, Line, Verdict
from bot.domain.health import Code, Expected, read_health

AT = datetime(2026, 1, 2, tzinfo=UTC)
GOOD = {
    "health": "1",
    "user": "ubuntu",
    "home": "/home/ubuntu",
    "data_path": "/data",
    "home_write": "ok",
    "home_df": "/dev/vda1 20000000 5000000 15000000 25% /",
    "home_df_inodes": "/dev/vda1 1000000 500000 500000 50% /",
    "data_state": "directory",
    "data_resolved": "/mnt/data",
    "mark_state": "present",
    "mark": "vol-1",
    "data_write": "ok",
    "data_df": "host:/my disk  900000000 100000 899900000   1% /mnt/data",
    "data_df_inodes": "host:/my disk 0 0 0 - /mnt/data",
}


ABOUT_DISKS = (Item.SSH, Item.DATA_DISK, Item.DISK_WRITABLE)


def machine(volume_id: str | None) -> Expected:
    return Expected("cpu", 0, 0, False, False, "/data", ".volume", volume_id)


def lines(changes: dict[str, str | None] | None = None, volume_id: str | None = "vol-1") -> dict[Item, Line]:
    values = {**GOOD, **(changes or {})}
    text = "".join(f"{key}={value}\n" for key, value in values.items() if value is not None)
    return {line.item: line for line in read_health(text, machine(volume_id), AT).lines if line.item in ABOUT_DISKS}


def test_all_is_well() -> None:
    assert lines() == {
        Item.SSH: Line(Item.SSH, Verdict.OK, Code.ANSWERED, "ubuntu"),
        Item.DATA_DISK: Line(Item.DATA_DISK, Verdict.OK, Code.MARKED, "/mnt/data"),
        Item.DISK_WRITABLE: Line(Item.DISK_WRITABLE, Verdict.OK, Code.WRITABLE, ""),
    }


@pytest.mark.parametrize(
    ("changes", "volume_id", "verdict", "code", "seen"),
    [
        ({"data_state": "missing"}, "vol-1", Verdict.FAIL, Code.MISSING, "/data"),
        ({"data_state": "missing"}, None, Verdict.FAIL, Code.MISSING, "/data"),
        ({"data_state": "not-a-directory"}, None, Verdict.FAIL, Code.NOT_A_DIRECTORY, "/data"),
        ({"data_state": "denied"}, None, Verdict.FAIL, Code.NOT_ALLOWED, "/data"),
        ({"data_state": None}, None, Verdict.UNKNOWN, Code.NOT_SEEN, "/data"),
        ({"data_state": None, "timed_out": "data_state"}, None, Verdict.UNKNOWN, Code.TIMED_OUT, "/data"),
        ({"data_state": "odd"}, None, Verdict.UNKNOWN, Code.NOT_SEEN, "/data"),
        ({}, None, Verdict.OK, Code.NO_VOLUME, "/mnt/data"),
        ({"mark": "vol-2"}, "vol-1", Verdict.FAIL, Code.OTHER_MARK, "vol-2"),
        ({"mark": ""}, "vol-1", Verdict.FAIL, Code.OTHER_MARK, ""),
        ({"mark_state": "missing"}, "vol-1", Verdict.FAIL, Code.NO_MARK, "/mnt/data"),
        ({"mark_state": "unreadable"}, "vol-1", Verdict.UNKNOWN, Code.MARK_UNREADABLE, "/mnt/data"),
        ({"mark_state": "not-asked"}, "vol-1", Verdict.OK, Code.MOUNTED, "/mnt/data"),
        ({"mark_state": "not-asked", "data_resolved": "/mnt"}, "vol-1", Verdict.FAIL, Code.NOT_MOUNTED, "/mnt/data"),
        ({"mark_state": "not-asked", "data_df": "df: error"}, "vol-1", Verdict.UNKNOWN, Code.NOT_SEEN, "/mnt/data"),
        ({"mark_state": None}, "vol-1", Verdict.UNKNOWN, Code.NOT_SEEN, "/mnt/data"),
    ],
)
def test_the_data_disk(
    changes: dict[str, str | None], volume_id: str | None, verdict: Verdict, code: Code, seen: str
) -> None:
    assert lines(changes, volume_id)[Item.DATA_DISK] == Line(Item.DATA_DISK, verdict, code, seen)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("mktemp: failed to create file via template '/x': Read-only file system", Code.READ_ONLY),
        ("dd: error writing '/x': No space left on device", Code.FULL),
        ("dd: error writing '/x': Disk quota exceeded", Code.FULL),
        ("mktemp: failed to create file via template '/x': Permission denied", Code.NOT_ALLOWED),
        ("dd: fsync failed for '/x': Input/output error", Code.WRITE_FAILED),
        ("", Code.WRITE_FAILED),
    ],
)
@pytest.mark.parametrize(("name", "path"), [("home", "/home/ubuntu"), ("data", "/data")])
def test_a_disk_that_takes_nothing(name: str, path: str, words: str, code: Code) -> None:
    line = lines({f"{name}_write": "failed", f"{name}_write_seen": words})[Item.DISK_WRITABLE]
    assert line == Line(Item.DISK_WRITABLE, Verdict.FAIL, code, f"{path}: {words}")


@pytest.mark.parametrize("name", ["home", "data"])
def test_could_not_look_is_unknown(name: str) -> None:
    assert lines({f"{name}_write": None})[Item.DISK_WRITABLE].verdict == Verdict.UNKNOWN
    slow = lines({f"{name}_write": None, "timed_out": f"{name}_write"})[Item.DISK_WRITABLE]
    assert (slow.verdict, slow.code) == (Verdict.UNKNOWN, Code.TIMED_OUT)


def space(changes: dict[str, str | None]) -> Line:
    text = "".join(f"{key}={value}\n" for key, value in {**GOOD, **changes}.items() if value is not None)
    return next(line for line in read_health(text, machine("vol-1"), AT).lines if line.item is Item.DISK_SPACE)


@pytest.mark.parametrize(
    ("changes", "verdict", "code", "seen"),
    [
        ({}, Verdict.OK, Code.SPACE_LEFT, "/mnt/data 1 %, 858 GiB left, / 25 %, 14 GiB left"),
        ({"data_df": "/dev/b 9 8 1000000 89% /d"}, Verdict.FAIL, Code.FULL, "/d 89 %, 976 MiB left"),
        ({"data_df": "/dev/b 9 9 900000000 91% /d"}, Verdict.WARN, Code.NEARLY_FULL, "/d 91 %, 858 GiB left"),
        ({"home_df_inodes": "/dev/vda1 10 10 0 100% /"}, Verdict.FAIL, Code.INODES_FULL, "/ 100 %"),
        ({"data_df": None}, Verdict.UNKNOWN, Code.NOT_SEEN, "/data"),
        ({"data_df": None, "timed_out": "data_df"}, Verdict.UNKNOWN, Code.TIMED_OUT, "/data"),
    ],
)  # fmt: skip
def test_room(changes: dict[str, str | None], verdict: Verdict, code: Code, seen: str) -> None:
    assert space(changes) == Line(Item.DISK_SPACE, verdict, code, seen)


def test_a_disk_that_takes_nothing_since_it_is_mounted_read_only() -> None:
    failed = {"data_write": "failed", "data_write_seen": "mktemp: failed: Input/output error"}
    mounted = {**failed, "data_mount": "/dev/nvme1n1 /data ext4 ro,relatime,errors=remount-ro 0 0"}
    assert lines(failed)[Item.DISK_WRITABLE].code == Code.WRITE_FAILED
    assert lines(mounted)[Item.DISK_WRITABLE].code == Code.READ_ONLY


def test_a_value_cannot_speak_for_a_line_before_it() -> None:
    text = "health=1\ndata_path=/d\ndata_state=missing\ndata_state=directory\n"
    assert read_health(text, machine(None), AT).lines[1].code == Code.MISSING


@given(st.text(), st.none() | st.text())
def test_any_text_gives_a_checklist_that_does_not_pass(text: str, volume_id: str | None) -> None:
    checklist = read_health(text, machine(volume_id), AT)
    assert [line.item for line in checklist.lines][:3] == list(ABOUT_DISKS)
    assert checklist.at == AT
    assert not checklist.passed


@given(
    st.dictionaries(st.sampled_from(sorted(GOOD)), st.none() | st.text()),
    st.sampled_from([None, "vol-1", "", "vol-2"]),
)
def test_damage_never_raises_and_never_flatters(changes: dict[str, str | None], volume_id: str | None) -> None:
    seen = lines(changes, volume_id)
    assert len(seen) == 3
    if seen[Item.DATA_DISK].code == Code.MARKED:
        assert "mark" not in changes or (changes["mark"] or "").split("\n")[0].strip() == (volume_id or "").strip()


@given(st.sets(st.sampled_from(sorted(GOOD))))
def test_what_is_left_out_is_not_good(left_out: set[str]) -> None:
    seen = lines(dict.fromkeys(left_out))
    needed = {"health", "data_state", "mark_state", "mark"}
    assert (seen[Item.DATA_DISK].verdict == Verdict.OK) == (not left_out & needed)
    needed = {"health", "home_write", "data_write"}
    assert (seen[Item.DISK_WRITABLE].verdict == Verdict.OK) == (not left_out & needed)
