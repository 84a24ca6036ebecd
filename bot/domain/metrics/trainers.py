"""How trainers print where they are: a table of counters, most particular first, each with a line it was made for.

A pattern sees a line's *shape*: every number in it is one NUL character. Its groups name the numbers: ``epoch``,
``epochs``, ``step``, ``steps`` (of), and ``inner``, a counter inside an epoch whose values replace each other. Where a
trainer prints values before their names, ``values`` says which group is what.
To teach the reader another trainer, add a row; `tests/domain/metrics/test_trainers.py` reads every example.
"""

import re
from dataclasses import dataclass
from typing import Final

from bot.domain.metrics.counters import NUMBER_MARK


@dataclass(frozen=True, slots=True)
class CounterRow:
    """One way of printing a position. ``reads`` is what must be found in ``example``, by group."""

    trainer: str
    pattern: re.Pattern[str]
    example: str
    reads: dict[str, float]
    is_bar: bool = False
    split: str = ""
    """Other data that such lines are of: put before the metrics' names, where these do not say it."""
    names: tuple[tuple[str, str], ...] = ()
    """What keys mean that say it only here."""
    values: tuple[tuple[str, str], ...] = ()
    """Groups that are values, with their metric's name."""
    is_head: bool = False
    """Such a line says where the run is, and the lines below it what was measured there."""


def _row(
    trainer: str,
    pattern: str,
    example: str,
    reads: dict[str, float],
    *,
    needs: str = "",
    is_bar: bool = False,
    split: str = "",
    names: tuple[tuple[str, str], ...] = (),
    values: tuple[tuple[str, str], ...] = (),
    is_head: bool = False,
) -> CounterRow:
    # ``needs`` is looked for first, ahead of the pattern and anywhere in the line.
    ahead = f"(?=.*(?:{needs}))" if needs else ""
    compiled = re.compile((f"^{ahead}(?:{pattern})").replace("#", NUMBER_MARK), re.IGNORECASE)
    return CounterRow(trainer, compiled, example, reads, is_bar, split, names, values, is_head)


_GAN_LOSSES: Final = (
    "G_GAN", "G_L1", "G_GAN_Feat", "G_VGG", "D_real", "D_fake", "NCE", "NCE_Y",
    "D_A", "G_A", "cycle_A", "idt_A", "D_B", "G_B", "cycle_B", "idt_B",
)  # fmt: skip
ROWS: Final[tuple[CounterRow, ...]] = (
    _row(
        "Keras",
        r"\s*(?P<inner>#)/(?P<steps>#)\s.*?-\s",
        "640/1875 ━━━━━━━━━━ 3s 2ms/step - accuracy: 0.8786 - loss: 0.5614",
        {"inner": 640, "steps": 1875},
        needs=r"s/(?:step|sample|epoch)|(?-i:ETA)",
    ),
    _row(
        "tqdm over epochs",
        r".*\bepochs?\s*:?\s+#%\|[^|]*\|\s*(?P<epoch>#)/(?P<epochs>#)\s\[",
        "Epochs:  20%|██        | 2/10 [00:04<00:16,  2.06s/it, loss=0.121]",
        {"epoch": 2, "epochs": 10},
        is_bar=True,
    ),
    _row(
        "torchtune",
        r"\s*(?P<epoch>#)\|(?P<step>#)\|(?:[^|]*%\|[^|]*\|\s*#/(?P<steps>#)\s\[)?",
        "1|20|Loss: 1.2345:   5%|▍         | 20/400 [00:10<03:10,  2.00it/s]",
        {"epoch": 1, "step": 20, "steps": 400},
        is_bar=True,
    ),
    _row(
        "tqdm",
        r"[^|]*?#%\|[^|]*\|\s*(?P<step>#)/(?P<steps>#)\s\[",
        "steps:   2%|▏         | 2/120 [00:04<04:03,  2.06s/it, avr_loss=0.12]",
        {"step": 2, "steps": 120},
        is_bar=True,
    ),
    _row(
        "AllenNLP",
        r"[^|]*\|\|:\s+#%\|[^|]*\|\s*(?P<step>#)/(?P<steps>#)\s\[",
        "accuracy: 0.5012, loss: 1.2041 ||:  10%|█         | 10/100 [00:10<01:30,  1.0it/s]",
        {"step": 10, "steps": 100},
        is_bar=True,
    ),
    _row(
        "Levanter",
        r".*?\bprogress on:train\s+(?P<step>#)it/(?P<steps>#)it\s",
        "Progress on:train 101it/10000it rate:1.1it/s remaining:2:30:00 elapsed:01:50 postfix:loss=7.12",
        {"step": 101, "steps": 10000},
        is_bar=True,
    ),
    _row(
        "PyTorch examples, timm",
        r"(?:.*?\|\s*)?\s*(?:train(?:ing)?\s*)?(?:epoch|train|test|eval|val)\s*:?\s*(?P<epoch>#)\s*\[\s*(?P<step>#)/(?P<steps>#)",
        "Train Epoch: 1 [6400/60000 (11%)]\tLoss: 2.169363",
        {"epoch": 1, "step": 6400, "steps": 60000},
    ),
    _row(
        "torchvision references, OpenMMLab",
        r".*?\b(?:epoch|train|val|test)(?:\([a-z]+\))?\s*:?\s*\[\s*(?P<epoch>#)\]\s*\[\s*(?P<step>#)/\s*(?P<steps>#)\s*\]",
        "Epoch(train)  [1][ 50/100]  lr: 1.0000e-02  loss: 2.3012",
        {"epoch": 1, "step": 50, "steps": 100},
    ),
    _row(
        "OpenMMLab, by iterations",
        r".*?\biter\(train\)\s*\[\s*(?P<step>#)/\s*(?P<steps>#)\s*\]",
        "03/01 10:00:00 - mmengine - INFO - Iter(train) [   50/40000]  lr: 9.9e-03  loss: 1.9512",
        {"step": 50, "steps": 40000},
    ),
    _row(
        "torchvision references, evaluation",
        r"\s*(?:test|val|eval)[a-z]*\s*:\s*\[\s*(?P<step>#)/\s*(?P<steps>#)\s*\]",
        "Test:  [ 20/100]  eta: 0:00:10  loss: 0.5123",
        {"step": 20, "steps": 100},
    ),
    _row(
        "fairseq",
        r".*?\bepoch\s+(?P<epoch>#):\s+(?P<step>#)\s*/\s*(?P<steps>#)\s",
        "2024-03-01 10:00:00 | INFO | train_inner | epoch 001:    100 / 1539 loss=12.31, ppl=5092.1",
        {"epoch": 1, "step": 100, "steps": 1539},
    ),
    _row(
        "fairseq, validation",
        r".*?\|\s*valid\s*\|\s*epoch\s+(?P<epoch>#)\s*\|",
        "2024-03-01 10:09:00 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 10.2 | num_updates 1539",
        {"epoch": 1},
        split="valid",
    ),
    _row(
        "PyTorch language models",
        r".*?\bepoch\s+(?P<epoch>#)\s*\|\s*(?P<step>#)/\s*(?P<steps>#)\s+batches",
        "| epoch   1 |   200/ 2928 batches | lr 20.00 | ms/batch 30.00 | loss  7.70 | ppl  2202.50",
        {"epoch": 1, "step": 200, "steps": 2928},
    ),
    _row(
        "PyTorch tutorials",
        r"\s*\[\s*(?P<epoch>#),\s*(?P<step>#)\]\s",
        "[1,  2000] loss: 2.186",
        {"epoch": 1, "step": 2000},
    ),
    _row(
        "PyTorch quickstart",
        r"\s*loss\s*:\s*#\s+\[\s*(?P<step>#)/\s*(?P<steps>#)\s*\]",
        "loss: 2.203100  [ 6400/60000]",
        {"step": 6400, "steps": 60000},
    ),
    _row(
        "Ignite",
        r"\s*\[\s*(?P<epoch>#)/(?P<epochs>#)\]\s*\[\s*(?P<step>#)/\s*(?P<steps>#)\]",
        "[1/10][  100/ 938]  11%|█ , loss=0.5123 [00:01<00:08]",
        {"epoch": 1, "epochs": 10, "step": 100, "steps": 938},
        is_bar=True,
    ),
    _row(
        "ESPnet",
        r".*?(?P<epoch>#)epoch:train:#-(?P<step>#)batch\b",
        "[gpu1] 2024-03-01 10:00:00,000 (trainer:737) INFO: 2epoch:train:1-100batch: loss_ctc=80.1, loss=75.2",
        {"epoch": 2, "step": 100},
    ),
    _row(
        "JAX (clu, Flax)",
        r".*?\.py:#\]\s+\[(?P<step>#)\]\s",
        "I0301 10:00:00.123456 140 logging_writer.py:48] [100] learning_rate=0.1, train_loss=2.31",
        {"step": 100},
    ),
    _row(
        "CatBoost",
        r"\s*(?P<step>#):\s+learn:",
        "10:\tlearn: 0.6512000\ttest: 0.6615000\tbest: 0.6615000 (10)\ttotal: 50ms\tremaining: 5s",
        {"step": 10},
        names=(("learn", "learn loss"), ("test", "test loss")),
    ),
    _row(
        "OLMo, OLMo-core",
        r".*?\[step=(?P<step>#)/(?:(?P<steps>#)|[?]+)(?:,\s*epoch=(?P<epoch>#))?[^\]]*\]\s*$",
        "2025-03-01 10:00:00\tINFO\t[step=10/1000,epoch=1,eta=1h23m]",
        {"step": 10, "steps": 1000, "epoch": 1},
        is_head=True,
    ),
    _row(
        "Composer",
        r"(?:\s*#:)?\s*(?:\[epoch=(?P<epoch>#)(?:/(?P<epochs>#))?\])?\[batch=(?P<step>#)(?:/(?P<steps>#))?\]:",
        "[epoch=1][batch=40/100]:",
        {"epoch": 1, "step": 40, "steps": 100},
        is_head=True,
    ),
    _row(
        "rsl_rl",
        r".*?\blearning iteration (?P<step>#)/(?P<steps>#)\s*$",
        "                       Learning iteration 10/1500",
        {"step": 10, "steps": 1500},
        is_head=True,
    ),
    _row(
        "nnU-Net, and what logs an epoch alone",
        r"\[?#(?:[-/:., T]+#){2,}\]?[\s:|,-]*(?:\w+[\s:|-]+)?epoch\s*:?\s*\[?(?P<epoch>#)(?:/(?P<epochs>#))?\]?\s*$",
        "2024-03-01 10:00:00.123456: Epoch 3",
        {"epoch": 3},
        is_head=True,
    ),
    _row(
        "Darknet",
        r"\s*(?P<step>#):\s+-?(?P<loss>#),\s+-?(?P<average>#)\s+avg(?:\s+loss)?,\s+(?P<rate>#)\s+rate,",
        " 46: 1629.1015, 2012.0000 avg loss, 0.000010 rate, 22.902 seconds, 2944 images, 33.1 hours left",
        {"step": 46, "loss": 1629.1015, "average": 2012.0, "rate": 0.00001},
        values=(("loss", "loss"), ("average", "avg loss"), ("rate", "learning rate")),
    ),
    _row(
        "Marian, validation",
        r".*?\[valid\]\s+ep\.\s+(?P<epoch>#)\s+:\s+up\.\s+(?P<step>#)\s+:",
        "[2024-03-01 10:10:00] [valid] Ep. 1 : Up. 5000 : ce-mean-words : 5.2127 : new best",
        {"epoch": 1, "step": 5000},
        split="valid",
        names=(("ce-mean-words", "ce-mean-words loss"),),
    ),
    _row(
        "Marian",
        r".*?\bep\.\s+(?P<epoch>#)\s+:\s+up\.\s+(?P<step>#)\s+:",
        "[2024-03-01 10:00:00] Ep. 1 : Up. 1000 : Sen. 64,000 : Cost 7.1234 : Time 100.00s : L.r. 3.0e-05",
        {"epoch": 1, "step": 1000},
        names=(("Cost", "cost loss"), ("L.r.", "learning rate")),
    ),
    _row(
        "ms-swift",
        r".*?[\"']global_step/max_steps[\"']:\s*[\"'](?P<step>#)/(?P<steps>#)[\"']",
        "{'loss': 2.1327, 'grad_norm': 1.72, 'epoch': 0.32, 'global_step/max_steps': '5/16', 'percentage': '31.25%'}",
        {"step": 5, "steps": 16},
    ),
    _row(
        "CycleGAN, pix2pix",
        r"\s*\(epoch: (?P<epoch>#), iters: (?P<step>#),",
        "(epoch: 1, iters: 100, time: 0.573, data: 0.201) G_GAN: 1.121 G_L1: 20.887 D_real: 0.696 D_fake: 0.642",
        {"epoch": 1, "step": 100},
        names=tuple((name, f"{name} loss") for name in _GAN_LOSSES),
    ),
    _row(
        "TensorFlow's estimators, evaluation",
        r".*?\bsaving dict for global step (?P<step>#):",
        "INFO:tensorflow:Saving dict for global step 1000: accuracy = 0.9836, global_step = 1000, loss = 0.0872",
        {"step": 1000},
        split="eval",
    ),
    _row(
        "Flair, evaluation",
        r".*?\bdev : loss #",
        "2024-03-01 10:00:07,405 DEV : loss 0.8366 - f1-score (micro avg)  0.7625",
        {},
        split="dev",
    ),
    _row(
        "Caffe, evaluation",
        r".*?\btest net output .#:",
        "I0301 10:00:00.123456  1234 solver.cpp:404]     Test net output #0: accuracy = 0.9012",
        {},
        split="test",
    ),
    _row(
        "XGBoost, LightGBM",
        r"\s*\[\s*(?P<step>#)\s*\]\s",
        "[5]\ttrain-logloss:0.59389\teval-logloss:0.62534",
        {"step": 5},
    ),
    _row(
        "Chinese logs",
        r".*?第\s*(?P<epoch>#)(?:\s*/\s*(?P<epochs>#))?\s*(?:轮|个?epoch|周期)",
        "【训练】第 1/6 轮，训练损失：1.2000，验证损失：1.2500",
        {"epoch": 1, "epochs": 6},
    ),
)
