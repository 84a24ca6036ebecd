"""What is said of a run while it goes on: each trouble once, and nothing where all may be well."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from bot.domain.jobs.alerts import RunState, alerts
from bot.domain.jobs.job import JobState
from bot.domain.jobs.reading import JobOutput
from bot.domain.metrics import Point, Progress, XKind
from bot.domain.notice import Notice, NoticeKind
from bot.domain.use import Use, UseSample, UseVerdict
from bot.domain.verdicts import Nonfinite
from handlers.words.run_notices import run_notice_words, verdict_of
from tests.domain.jobs.samples import NOON, at, job, lease

GIB = 1024**3


def curve(values: Sequence[float], every_s: float = 10, metric: str = "loss") -> tuple[Point, ...]:
    return tuple(Point(metric, x, XKind.STEP, value, at(every_s * x)) for x, value in enumerate(values, 1))


def run(points: dict[str, Sequence[Point]], now_s: float, **changes: Any) -> RunState:
    """A run that was just seen, and printed when its last point came."""
    last = max((p.at for some in points.values() for p in some), default=NOON)
    state = RunState(
        job(seen_at=at(now_s - 1), owner="U1"),
        replace(lease(), ends_at=at(10 * 3600)),
        JobOutput("j1", output_at=last),
        points,
        (),
        at(now_s),
    )
    return replace(state, **changes)


def sample(moment: datetime, gpu: int = 0, cores: float = 0.0) -> UseSample:
    return UseSample("l1", moment, UseVerdict.IDLE, Use((gpu,), True, cores, 0, None, 1, 10))


def kinds(found: Sequence[Notice]) -> list[NoticeKind]:
    return [notice.kind for notice in found]


FALLING = [2.0 / x for x in range(1, 31)]


def test_a_healthy_run_is_left_alone() -> None:
    assert alerts(run({"loss": curve(FALLING)}, 305)) == ()


def test_nan_once_with_its_numbers_and_a_mention() -> None:
    points = {"eval_loss": curve([math.nan] * 3, 100, "eval_loss"), "loss": curve([*FALLING, math.nan])}
    first, *others = [n for n in alerts(run(points, 315)) if "nonfinite" in n.occasion]
    assert {n.occasion for n in (first, *others)} == {"run:j1:nonfinite"}
    later = {**points, "loss": curve([*FALLING, math.nan, math.nan, math.nan])}
    assert alerts(run(later, 335))[0].occasion == first.occasion
    verdict = verdict_of(str(first.facts["verdict"]))
    assert isinstance(verdict, Nonfinite)
    assert (verdict.metric, verdict.since_x, verdict.last_finite) == ("loss", 31, points["loss"][29][1:4:2])
    words = run_notice_words(first, lease())
    assert words.startswith(":warning: <@U1> *amber-fox/1*: loss is NaN or infinite since step 31 (1 value)")
    assert "lower learning rate" in words
    assert "$1.00 an hour" in words
    assert "`/gpu kill amber-fox/1`" in words
    over = alerts(run(points, 315, job=job(JobState.ENDED)))[0]
    assert over.occasion == first.occasion
    assert "kill" not in run_notice_words(over, lease())


def test_a_number_again_is_news_without_a_mention() -> None:
    (found,) = alerts(run({"loss": curve([*FALLING, math.nan, *[0.06] * 3])}, 345))
    assert found.occasion == "run:j1:nonfinite:recovered"
    assert "<@" not in run_notice_words(found, lease())


def test_silence_needs_a_machine_that_rests() -> None:
    points = {"loss": curve(FALLING)}
    (found,) = alerts(run(points, 300 + 400))
    assert found.kind is NoticeKind.RUN_SILENT
    assert "where a value every 10 s is usual" in run_notice_words(found, lease())
    idle = (sample(at(500)), sample(at(600)))
    assert "GPU was at 0 %" in run_notice_words(alerts(run(points, 700, samples=idle))[0], lease())
    for busy in (sample(at(500), gpu=97), sample(at(500), cores=3.0)):
        assert alerts(run(points, 700, samples=(busy, sample(at(600))))) == ()
    assert alerts(run(points, 700, samples=(sample(at(290), gpu=97),))) != ()
    chatty = JobOutput("j1", output_at=at(690))
    assert alerts(run(points, 700, output=chatty)) == ()


def _rests(*gpus: int, cores: float = 3.6, points: int = 30) -> list[NoticeKind]:
    """Of a run of half an hour, with these looks in its last quarter of an hour or more."""
    looks = [sample(at(1800 - 61 * n), gpu, cores) for n, gpu in enumerate(gpus)][::-1]
    return kinds(alerts(run({"loss": curve(FALLING[:points], 1795 / max(points, 1))}, 1800, samples=looks)))


def test_a_run_that_trains_and_leaves_the_gpu_alone_is_told() -> None:
    assert _rests(*[0] * 16) == [NoticeKind.RUN_RESTS_GPU]
    assert _rests(*[0] * 14) == [], "a quarter of an hour, in fifteen looks"
    assert _rests(*[0] * 15, 40) == [], "it works now and then"
    assert NoticeKind.RUN_RESTS_GPU not in _rests(*[0] * 16, points=2), "it may be preparing its data"


def test_a_card_that_does_not_tell_is_not_said_to_rest() -> None:
    untold = Use((None,), True, 4.0, 0, None, 1, 10)
    looks = [replace(sample(at(60 * n)), use=untold) for n in range(30)]
    assert kinds(alerts(run({"loss": curve(FALLING, 60)}, 1800, samples=looks))) == []


def test_who_trains_on_the_processor_reads_what_was_seen() -> None:
    looks = [sample(at(60 * n), 2, 7.8) for n in range(10, 31)]
    (notice,) = alerts(run({"loss": curve(FALLING, 60)}, 1800, samples=looks))
    words = run_notice_words(notice, lease())
    assert "trains, but not on the GPU: that was at 2 % at most in all of 21 looks" in words
    assert "up to 8 processor cores worked" in words
    assert "$1.00 an hour" in words


def test_silence_without_a_curve_takes_three_looks_and_half_an_hour() -> None:
    looks = tuple(sample(at(600 * n)) for n in (1, 2, 3))
    assert kinds(alerts(run({}, 1900, samples=looks))) == [NoticeKind.RUN_SILENT]
    assert alerts(run({}, 1700, samples=looks[:2])) == ()
    assert alerts(run({}, 1900, samples=looks[:2])) == ()
    assert alerts(run({}, 1900, samples=(*looks, sample(at(1890), cores=2.0)))) == ()


@pytest.mark.parametrize(
    "changes", [{"state": JobState.UNKNOWN}, {"seen_at": at(500)}, {"state": JobState.ENDED}, {"seen_at": None}]
)
def test_of_what_is_not_seen_nothing_is_concluded(changes: dict[str, Any]) -> None:
    points = {"loss": curve(FALLING)}
    assert alerts(run(points, 700, job=job(seen_at=at(699)).noted(**changes))) == ()


@pytest.mark.parametrize(
    ("before", "free", "is_said"),
    [(100 * GIB, 5 * GIB, True), (100 * GIB, 11 * GIB, False), (2 * GIB, GIB // 10, True), (GIB, GIB // 100, False),
     (1000 * GIB, 50 * GIB, False), (None, 0, False), (100 * GIB, None, False)],
)  # fmt: skip
def test_a_disk_that_fills(before: int | None, free: int | None, is_said: bool) -> None:
    one = job(seen_at=at(3600), free_at_start_bytes=before, free_bytes=free)
    found = alerts(run({}, 3600, job=one, output=JobOutput("j1", output_at=at(3600))))
    assert kinds(found) == ([NoticeKind.RUN_FILLS_DISK] if is_said else [])
    if before == 100 * GIB and is_said:
        assert "full in about 3 min" in run_notice_words(found[0], lease())


def test_time_is_said_only_where_even_the_best_pace_is_too_slow() -> None:
    points = {"loss": curve(FALLING, every_s=60)}  # 30 of 1000 steps in half an hour: 16 h 10 min to go
    output = JobOutput("j1", progress=Progress(step=30, steps=1000), output_at=at(1800))
    (found,) = alerts(run(points, 1800, output=output))
    assert (found.kind, found.occasion) == (NoticeKind.RUN_WILL_NOT_FIT, f"run:j1:time:{at(36000).isoformat()}")
    assert found.facts["missing_s"] == 35_700, "970 min times 1.2 less the 9 h 30 min that are left, in five minutes"
    assert found.facts["price_microusd"] == 9_916_667
    assert "It needs 9 h 55 min more: `/gpu extend amber-fox 595m` costs $9.92" in run_notice_words(found, lease())
    long = replace(lease(), ends_at=at(17 * 3600))
    assert alerts(run(points, 1800, output=output, lease=long)) == (), "it fits, if only without the reserve"
