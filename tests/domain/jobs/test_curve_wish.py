"""Which curves a picture of one's own has, and what is said of those that have no place in it."""

from dataclasses import replace

from bot.domain.jobs.curve_wish import CurveWish, Run, choose
from bot.domain.metrics import Point, XKind
from handlers.words.chosen_curves import asked_words, picture_name
from tests.domain.jobs.samples import NOON, at, job, lease


def run(number: int, kind: XKind | None) -> Run:
    points = () if kind is None else tuple(Point("loss", x, kind, 1 / x, at(x)) for x in (1, 2, 4))
    return job(id=f"j{number}", number=number), replace(lease(), name="mill"), {"loss": points} if points else {}


def wish(runs: int, *metrics: str) -> CurveWish:
    return CurveWish("w1", tuple(f"j{number + 1}" for number in range(runs)), "U1", NOON, metrics)


def test_a_run_that_counts_otherwise_is_said_and_not_drawn() -> None:
    found = choose(wish(3), [run(1, XKind.EPOCH), run(2, XKind.STEP), run(3, XKind.EPOCH)])
    assert [curve.job.number for curve in found.curves] == [1, 3]
    assert [curve.job.number for curve in found.undrawn] == [2]
    said = asked_words(found)
    assert "*mill/1*: loss 1 → 0.25 at epoch 4.\n" in said
    assert "*mill/2*: loss 1 → 0.25 at step 4. Not drawn: counted in steps, and the picture is by epochs.\n" in said
    assert "2" not in picture_name(found)


def test_one_that_alone_is_left_has_the_picture_of_one() -> None:
    assert not choose(wish(2), [run(1, XKind.EPOCH), run(2, XKind.STEP)]).has_several_jobs
    assert choose(wish(2), [run(1, XKind.EPOCH), run(2, XKind.EPOCH)]).has_several_jobs


def test_a_run_without_the_curve_is_said() -> None:
    found = choose(wish(2, "loss"), [run(1, XKind.STEP), run(2, None)])
    assert "*mill/2* has none of these curves." in asked_words(found)
    assert not choose(wish(1), [run(1, None)]).curves
