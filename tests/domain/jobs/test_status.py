"""Reading what job steps print."""

import base64
import json

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.status import ExitRecord, Report, Seen, read_report

LINE = {
    "job": "j1", "state": "ended", "keeper": False, "kill": {"by": "U2"}, "directory": "/w", "commit": None,
    "started_ago_s": 5.5, "ended_ago_s": -3, "size": 9, "offset": 4,
    "output": base64.b64encode(b"\xff\x00").decode(),
    "exit": {"code": None, "signal": 9, "core": False, "cause": "kill", "ran_s": 2.5, "free_bytes": 7,
             "oom_kills": {"machine": 3, "group": None}, "left_running": 2, "max_rss_bytes": 1},
}  # fmt: skip
GOOD = "\n".join(map(json.dumps, [{"machine": 1, "boot": "b", "free_bytes": 5}, LINE, {"end": 1}])) + "\n"
KEYS = st.sampled_from(["job", "state", "exit", "kill", "size", "offset", "output", "machine", "boot", "end", "error"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(list(Seen)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.sampled_from(list(LINE["exit"])), inner),
    max_leaves=8,
)


def test_a_report_is_read() -> None:
    found = read_report("noise\n" + GOOD + "more noise")
    assert (found.boot, found.free_bytes, found.error, found.is_complete) == ("b", 5, "", True)
    status = found.jobs["j1"]
    assert (status.seen, status.killed_by, status.output, status.offset_bytes) == (Seen.ENDED, "U2", b"\xff\x00", 4)
    assert (status.started_ago_s, status.ended_ago_s) == (5.5, 0.0)
    assert status.exit == ExitRecord(
        signal=9, cause="kill", ran_s=2.5, oom_kills=3, free_bytes=7, left_running=2, max_rss_bytes=1
    )


def test_a_cut_or_failed_one_says_so() -> None:
    assert not read_report(GOOD[: GOOD.index('{"end"')]).is_complete
    assert read_report("") == Report()
    failed = read_report('{"error": "disk-full", "detail": "no space"}\n')
    assert (failed.error, failed.detail, failed.is_complete) == ("disk-full", "no space", False)
    assert read_report("[" * 100_000).jobs == {}
    assert read_report('{"a":' * 50_000).jobs == {}


@given(st.lists(st.dictionaries(KEYS, VALUES), max_size=4), st.text(max_size=50), st.integers(0, 2**20))
def test_no_text_raises(lines: list[object], noise: str, cut: int) -> None:
    text = "\n".join([noise, *map(json.dumps, lines)])
    for one in (text, text[: cut % (len(text) + 1)], GOOD[: cut % len(GOOD)] + noise):
        found = read_report(one)
        assert all(status.offset_bytes >= 0 for status in found.jobs.values())


@given(st.sampled_from(sorted(LINE)), VALUES)
def test_one_odd_field_spoils_nothing_else(field: str, value: object) -> None:
    found = read_report(json.dumps(LINE | {field: value}))
    if field not in ("job", "state"):
        assert found.jobs["j1"].seen is Seen.ENDED
