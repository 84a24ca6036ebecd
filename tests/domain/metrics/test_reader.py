"""The reader, line by line: what is a point, what is none, and where it lies."""

import math

import pytest
from pydantic import TypeAdapter

from bot.domain.metrics import Progress, ReaderState, XKind, finish, read
from tests.domain.metrics.reading import AT, SAMPLES, read_all, said


def test_a_plain_training_script() -> None:
    text = "Using device: cuda\nEpoch 1/3, Loss: 0.2120\nEpoch 2/3, Loss: 0.1\nTest Accuracy: 98.91%\n"
    points, progress, _ = read_all(text.encode())
    assert [(p.metric, p.x, p.x_kind, p.value, p.at) for p in points.values()] == [
        ("Loss", 1.0, XKind.EPOCH, 0.212, AT),
        ("Loss", 2.0, XKind.EPOCH, 0.1, AT),
        ("Test Accuracy", 2.0, XKind.EPOCH, 98.91, AT),
    ]
    assert progress == Progress(epoch=2, epochs=3)


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("epoch=1 step=20 loss=0.43", [("loss", 20, 0.43)]),
        ("step: 5, train loss: 1e-3, val loss: 2E+00", [("train loss", 5, 0.001), ("val loss", 5, 2)]),
        ('{"step": 3, "loss": 0.5, "eval_loss": null}', [("loss", 3, 0.5)]),
        ("{'loss': '0.5', 'epoch': '0.25'}", [("loss", 0.25, 0.5)]),
        ('{"step": 3, "train": {"loss": 0.5}, "val": {"loss": 0.6}}', [("train loss", 3, 0.5), ("val loss", 3, 0.6)]),
        ("Epoch [1/5], Step [100/600], Loss: 2.1", [("Loss", 100, 2.1)]),
        ("step=4 loss=-inf", [("loss", 4, -math.inf)]),
        ("step 4 reward: -21.5", [("reward", 4, -21.5)]),
        ("step 4 mean reward: -21.5", [("mean reward", 4, -21.5)]),
        ("step=7,226 loss=3.1", [("loss", 7226, 3.1)]),
        ("step=3 loss=0,4321", [("loss", 3, 0.4321)]),
        ("\x1b[31mstep: 22  \x1b[32mloss:  6.1\x1b[39m", [("loss", 22, 6.1)]),
        ("Accuracy: 9782/10000 (98%)", [("Accuracy", 1, 97.82)]),
        ("loss: tensor(0.5123, device='cuda:0')", [("loss", 1, 0.5123)]),
        ("INFO:root:Epoch 3 finished with loss: 0.5", [("loss", 3, 0.5)]),
        ("Test: [ 5/40]  loss: 0.5 acc: 0.9", [("Test loss", 1, 0.5), ("Test acc", 1, 0.9)]),
        ("第 2/6 轮，训练损失：0.5，准确率：61.5％", [("训练损失", 2, 0.5), ("准确率", 2, 61.5)]),
        ("训练 step=1 损失: 0.5".encode("gbk"), [("损失", 1, 0.5)]),
        ("step 1 loss 0.5".encode("utf-16"), [("loss", 1, 0.5)]),
        (b"step 1 \xff\xfe loss: 0.5\r", [("loss", 1, 0.5)]),
    ],
)
def test_is_read(line: str | bytes, points: list[tuple[str, float, float]]) -> None:
    assert said(line) == points


@pytest.mark.parametrize(
    "line",
    [
        "WARN packet loss 2% while syncing",
        "3 packets transmitted, 3 received, 0% packet loss, time 2003ms",
        "INFO total data loss: 0 bytes",
        "INFO loss function: focal, gamma=2.0, loss_weight=0.25",
        "INFO loss improved to 1.000 -> saving",
        "Epoch 5: val_loss improved from 0.5 to 0.4, saving model",
        "We saw a loss 3 times",
        "The loss is 0.5 lower than before",
        "step=5 loss_scale=65536.0",
        "loss scale: 1.0 | number of nan iterations:   0 |",
        "Namespace(lr=0.1, loss_threshold=0.5, epochs=3)",
        "python train.py --lr 0.1 --loss 0.5",
        "early stopping: target_loss: 0.1, best loss: 0.2",
        "learning_rate: 0.001",
        '  File "train.py", line 3, in f\n    loss = 0.5 * mse',
        '  File "train.py", line 3, in f\n    loss = 0.5',
        "    return loss * 0.5",
        "loss:",
        "Epoch 3/10",
        "5%|█| 5/100 [00:04<01:19,  1.19it/s]",
        '{"level":"info","msg":"loss is fine","code":200}',
    ],
)
def test_is_no_metric(line: str) -> None:
    assert said(line) == []


def test_the_code_line_of_a_traceback_is_known_across_reads() -> None:
    state, _, _ = read(ReaderState(), b'Traceback:\n  File "a.py", line 1, in f\n', AT)
    state, points, _ = read(state, b"    loss = 0.5\n  loss = 0.25\n", AT)
    assert [point.value for point in points] == [0.25]


def test_half_a_number_waits_for_its_other_half() -> None:
    state, points, _ = read(ReaderState(), b"Epoch 1/3, Loss: 0.2", AT)
    assert points == ()
    _, points, _ = read(state, b"120\n", AT)
    assert [point.value for point in points] == [0.212]
    _, points, _ = finish(state, AT)
    assert [point.value for point in points] == [0.2]


def test_steps_that_start_again_with_each_epoch_are_carried_on() -> None:
    lines = [f"epoch {epoch} step {step} loss: {epoch}.{step}" for epoch in (1, 2, 3) for step in (10, 20, 30)]
    assert [x for _, x, _ in said("\n".join(lines))] == [10, 20, 30, 40, 50, 60, 70, 80, 90]


def test_a_resumed_run_replaces_what_it_repeats() -> None:
    text = "epoch=1 step=10 loss=3.0\nepoch=2 step=20 loss=2.0\nepoch=1 step=10 loss=2.5\n"
    assert said(text) == [("loss", 10, 2.5), ("loss", 20, 2.0)]


def test_outputs_without_counters_are_counted() -> None:
    assert said("loss: 3.5\nval loss: 4.5\nloss: 2.5\nval loss: 3.0") == [
        ("loss", 1, 3.5),
        ("loss", 2, 2.5),
        ("val loss", 1, 4.5),
        ("val loss", 2, 3.0),
    ]


def test_a_line_without_counter_lies_where_the_run_is() -> None:
    assert said("step 40 loss 0.5\nval loss: 0.6")[1] == ("val loss", 40, 0.6)
    assert said("Epoch 3/9\nloss: 0.5\nEpoch 4/9\nloss: 0.25") == [("loss", 3, 0.5), ("loss", 4, 0.25)]


def test_a_line_that_says_where_the_run_is_places_those_below() -> None:
    text = "Step 30\nloss: 0.5\nlr: 0.1\nIteration 40/50\nloss: 0.25\n[step=50/???,epoch=0]\n    loss=0.125"
    assert said(text) == [("loss", 30, 0.5), ("loss", 40, 0.25), ("loss", 50, 0.125), ("lr", 30, 0.1)]


@pytest.mark.parametrize(
    ("head", "row"),
    [("step,loss", "{},0.5"), ("Step\tTraining Loss", "{}\t0.5"), ("step  loss  note", "{}   0.5   best")],
)
def test_rows_are_found_between_other_lines_and_no_longer_after_many(head: str, row: str) -> None:
    other = "2 loading shard 3 of 4"
    lines = [head]
    for step, others in ((1, 0), (2, 1), (3, 20), (4, 0), (5, 21), (6, 0)):
        lines += [other] * others + [row.format(step)]
    for piece_bytes in (1 << 20, 7):
        points, _, _ = read_all("\n".join(lines).encode() + b"\n", piece_bytes)
        assert [x for _, _, x in points] == [1, 2, 3, 4]


@pytest.mark.parametrize("epoch", ["nan", "inf", "1e9999", "-1", "9" * 400])
def test_counters_that_can_be_none_are_left_out(epoch: str) -> None:
    text = f"epoch=1 step=10 loss=3.5\nepoch={epoch} step=20 loss=2.5\nepoch=2 step={epoch} loss=1.5\n"
    assert said(text)[:2] == [("loss", 10, 3.5), ("loss", 20, 1.5)]


def test_one_rank_is_read_whichever_comes_first() -> None:
    assert said("[rank1]: step 1 loss 0.3\n[rank0]: step 1 loss 0.2\n[rank1]: step 2 loss 0.3") == [("loss", 1, 0.2)]
    assert said("[rank7]: step 1 loss 0.3") == [("loss", 1, 0.3)]


def test_redraws_of_a_bar_are_one_point_and_the_epoch_goes_on() -> None:
    bars = [
        f"Epoch {epoch}: {step * 25}%|{'█' * step}| {step}/4 [00:01<00:01, 15.2it/s, loss={epoch}.{step}]"
        for epoch in (0, 1)
        for step in (1, 1, 2, 4)
    ]
    points, progress, _ = read_all("\r".join(bars).encode())
    assert [p.x for p in points.values()] == [1, 2, 4, 5, 6, 8]
    assert progress == Progress(epoch=1, epochs=None, step=4, steps=4)


def test_bars_alone_tell_the_progress() -> None:
    _, progress, _ = read_all(b"10%|x| 10/100 [00:08<01:15,  1.19it/s]\r 11%|x| 11/100 [00:08<01:15,  1.19it/s]\r")
    assert progress == Progress(step=11, steps=100)


def test_enormous_lines_cost_little_and_lose_only_their_rest() -> None:
    state, points, _ = read(ReaderState(), b"step 1 loss: 0.5 " + b"x" * 3_000_000, AT)
    for _ in range(3):
        state, more, _ = read(state, b"loss: 0.1 " * 100_000, AT)
        points += more
        assert len(state.half_line) <= 16 * 1024
    state, more, _ = read(state, b" loss: 7\nstep 2 loss: 0.25\n", AT)
    assert [(p.x, p.value) for p in points + more] == [(1, 0.5), (2, 0.25)]


def test_names_are_bounded() -> None:
    _, _, state = read_all("\n".join(f"step 1 loss_{'abcdefghij'[i % 10]}{i}: 0.5" for i in range(500)).encode())
    assert len(state.names) == 64


def test_the_state_survives_being_stored() -> None:
    adapter = TypeAdapter(ReaderState)
    for sample in SAMPLES.glob("*.*"):
        output, state = sample.read_bytes(), ReaderState()
        for start in range(0, len(output), 301):
            state, _, _ = read(state, output[start : start + 301], AT)
            stored = adapter.dump_json(state)
            assert b"\\u0000" not in stored
            assert adapter.validate_json(stored) == state
