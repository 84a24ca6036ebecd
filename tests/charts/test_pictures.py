"""Pictures as people see them: always one, always of its size, with what the curve needs on it."""

import math
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.charts import Charts
from bot.domain.curve import Series, series_of
from bot.domain.metrics import XKind
from bot.domain.run_marks import RunMarks
from bot.ports.plotter import CurvePicture, Line
from tests.charts.curves import ALARM, BADGE, SCORE, TRAIN, VALIDATION, columns_of, curve, has, pixels
from tests.domain.metrics.reading import SAMPLES, read_all

NAN, INF = math.nan, math.inf
RESUMED, LEASE_ENDS = "8250df", "9a6700"


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.[!t]*")), ids=lambda path: path.stem)
def test_every_sample_has_a_picture(sample: object) -> None:
    series = series_of(read_all(sample.read_bytes())[0].values())  # type: ignore[attr-defined]
    image = pixels(CurvePicture.of("amber-fox/3", series))
    assert image.shape == (675, 1200, 3)
    assert has(image, TRAIN)


@pytest.mark.parametrize(
    "values",
    [[], [0.5], [0.5, 0.4], [NAN], [NAN, NAN, INF], [1.0, NAN], [NAN, 1.0], [0.0] * 9, [-1.0] * 300, [1e300, 1.0],
     [1e-300] * 5, [-1e-320, 1e29], [0.0, 1e-9], list(range(41)), [NAN, 1.0] * 200],
    ids=repr,
)  # fmt: skip
def test_any_curve_has_a_picture(values: list[float]) -> None:
    series = curve(values)
    image = pixels(CurvePicture("amber-fox/3", series, series, series))
    assert image.shape == (675, 1200, 3)
    assert has(image, ALARM) is any(not abs(value) < 1e30 for value in values)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(), max_size=150), st.lists(st.floats(), max_size=20), st.text(max_size=60), st.text(max_size=60)
)
def test_any_values_and_any_texts(values: list[float], others: list[float], title: str, metric: str) -> None:
    picture = CurvePicture(title, curve(values, metric), curve(others, metric), curve(others, title), is_simulated=True)
    assert Charts().draw(picture).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "text", ["$HOME \\frac{$", "_hidden", "第一轮 训练", "\x00\x07\x1b[31m", "\u202eabc", "😀", "%s {} <!channel>"]
)
def test_texts_from_outside_are_shown_not_obeyed(text: str) -> None:
    pixels(CurvePicture(text, curve([1.0, 0.5], text)))


def test_nothing_to_draw_is_said() -> None:
    image = pixels(CurvePicture.of("amber-fox/3", ()))
    assert not has(image, TRAIN)
    assert (image[250:420, 300:900] != 255).any()


def test_validation_and_score_are_there_when_given() -> None:
    loss = curve([3.0, 2.0, 1.0])
    alone = pixels(CurvePicture("amber-fox/3", loss))
    full = pixels(CurvePicture("amber-fox/3", loss, curve([3.5, 2.5, 2.0], "val_loss"), curve([0.1, 0.5, 0.9], "acc")))
    assert (has(alone, VALIDATION), has(alone, SCORE)) == (False, False)
    assert (has(full, VALIDATION), has(full, SCORE)) == (True, True)


def test_all_of_the_curve_is_in_the_picture_beside_a_short_score() -> None:
    score = Series("acc", XKind.STEP, curve([0.1] * 100).points[80:])
    columns = columns_of(pixels(CurvePicture("amber-fox/3", curve(range(99, -1, -1)), None, score)), TRAIN)
    assert columns[columns > 85].min() < 130
    assert columns.max() > 1130


def test_a_score_of_one_point_is_a_note_and_takes_no_room() -> None:
    loss, one = curve([3.0, 2.0, 1.0]), curve([98.5], "Test Accuracy")
    image = pixels(CurvePicture("amber-fox/3", loss, None, one))
    assert has(image, SCORE)
    assert not has(image[140:], SCORE)


def test_only_a_simulated_run_is_marked_as_simulated() -> None:
    loss = curve([3.0, 2.0, 1.0])
    assert has(pixels(CurvePicture("amber-fox/3", loss, is_simulated=True)), BADGE)
    assert not has(pixels(CurvePicture("amber-fox/3", loss)), BADGE)


def test_a_spike_among_a_million_is_seen_and_the_rest_stays_readable() -> None:
    values = [1.0 + 0.2 * (step % 7) for step in range(1_000_000)]
    calm = pixels(CurvePicture("amber-fox/3", curve(values)))
    values[600_000] = 400.0
    picture = CurvePicture("amber-fox/3", curve(values))
    began = time.process_time()
    image = pixels(picture)
    assert time.process_time() - began < 5.0
    assert (image[:, :80] == calm[:, :80]).all()  # the same scale
    changed = (image != calm)[160:590].any(axis=2).sum(axis=0)
    assert 700 < changed.argmax() < 760  # six tenths of the way: the line up to its arrow
    assert changed.max() > 15


def test_drawing_loads_no_pyplot_and_importing_loads_nothing() -> None:
    script = (
        "import sys; import bot.charts, bot.ports.plotter as p\n"
        "assert not {'matplotlib', 'numpy', 'tsdownsample'} & set(sys.modules)\n"
        "bot.charts.Charts().draw(p.CurvePicture('x'))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_several_threads_may_draw() -> None:
    charts, done = Charts(), []

    def work(number: int) -> None:
        done.append(charts.draw(CurvePicture(f"job {number}", curve([3.0, 2.0, 1.0 + number]))))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(done)) == 6


def test_the_same_picture_is_the_same_bytes() -> None:
    picture = CurvePicture("amber-fox/3", curve([3.0, 2.0, 1.0]))
    assert Charts().draw(picture) == Charts().draw(picture)


GROWTH = """
import gc, psutil
from bot.charts import Charts
from tests.charts.test_pictures import CurvePicture, curve

charts, process = Charts(), psutil.Process()
picture = CurvePicture("amber-fox/3", curve([3.0, 2.0, 1.0]))

def rss_mib(pictures):
    for _ in range(pictures):
        charts.draw(picture)
    gc.collect()
    return process.memory_info().rss / 2**20

before = rss_mib(70)  # fonts and glyphs are read once
print(rss_mib(60) - before)
"""


@pytest.mark.long
def test_many_pictures_leave_memory_where_it_was() -> None:
    """In a process of its own, as the bot draws them: what other tests left behind does not count."""
    told = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True, check=True)
    assert float(told.stdout) < 10


def test_marks_are_seen_where_they_lie() -> None:
    loss = curve(range(101, 0, -1))
    plain = pixels(CurvePicture("amber-fox/3", loss))
    assert not has(plain, RESUMED)
    marks = RunMarks(((0.0, 0.0), (100.0, 7200.0)), 25.0, (50.0,), 120.0)
    image = pixels(CurvePicture("amber-fox/3", loss, marks=marks))
    resumed, ends = columns_of(image, RESUMED), columns_of(image, LEASE_ENDS)
    assert 500 < resumed.min() < 560  # 50 of 120 of the way
    assert ends.max() > 1120
    assert columns_of(image, TRAIN).max() < 1010
    far = pixels(CurvePicture("amber-fox/3", loss, marks=RunMarks(ends_x=900.0)))
    assert not has(far, LEASE_ENDS)
    assert columns_of(far, TRAIN).max() > 1130


def test_several_runs_have_a_line_each_and_other_metrics_a_panel_below() -> None:
    loss, other, rate = curve([3.0, 2.0, 1.0]), curve([3.0, 2.5, 2.0]), curve([0.3, 0.2, 0.1], "lr")
    more = (Line("owl/9 loss", other), Line("", rate, is_below=True))
    image = pixels(CurvePicture("amber-fox/3", loss, more=more, main_label="amber-fox/3 loss"))
    assert has(image[150:450], VALIDATION)
    assert not has(image[480:], VALIDATION)
    assert has(image[480:], RESUMED)  # the third colour
