"""How trainers print where they are: a table of counters, most particular first, each with a line it was made for.

A pattern sees a line's *shape*: every number in it is one NUL character. Its groups name the numbers: ``epoch``,
``epochs``, ``step``, ``steps`` (of), and ``inner``, a counter inside an epoch whose values replace each other.
To teach the reader another trainer, add a row; `tests/domain/metrics/test_trainers.py` reads every example.
"""

import re
from dataclasses import dataclass
from typing import Final

NUMBER_MARK: Final = "\0"
_N: Final = NUMBER_MARK


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
) -> CounterRow:
    # ``needs`` is looked for first, ahead of the pattern and anywhere in the line.
    ahead = f"(?=.*(?:{needs}))" if needs else ""
    compiled = re.compile((f"^{ahead}(?:{pattern})").replace("#", _N), re.IGNORECASE)
    return CounterRow(trainer, compiled, example, reads, is_bar, split, names)


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
EVALUATION: Final = re.compile(r"\b(?P<word>(?:val|valid|eval|test|dev|sanity|predict|infer)[a-z]*)\b", re.IGNORECASE)
"""A loop over other data, where it stands before a counter: that counter is not the run's."""
EPOCH_HEAD: Final = re.compile(
    r"^[^\w#]*(?:(?:starting|start|started|begin|training|train|running)\s+)?epoch\b[^\w#]*#".replace("#", _N),
    re.IGNORECASE,
)
"""A line that says which epoch begins."""
STEP_HEAD: Final = re.compile(
    r"^[^\w#]*(?:train(?:ing)?\s+)?(?:step|iter(?:ation)?)\b[^\w#]*#[^\w#]*(?:#[^\w#]*)?$".replace("#", _N),
    re.IGNORECASE,
)
"""A line that says which step begins, and nothing else."""
STEP_WORDS: Final = {
    # which counter is the x where a line prints several: the higher one
    "total_timesteps": 6,
    "num_timesteps": 6,
    "global_step": 5,
    "global_steps": 5,
    "current_steps": 4,
    "num_updates": 4,
    "step": 3,
    "steps": 3,
    "train_step": 3,
    "iteration": 2,
    "iterations": 2,
    "training_iteration": 2,
    "步数": 3,
    "步": 2,
    "迭代": 2,
    "iter": 2,
    "iters": 2,
    "it": 2,
    "timestep": 2,
    "timesteps": 2,
    "update": 1,
    "updates": 1,
    "round": 1,
    "batch": 1,
    "batch_idx": 1,
}
EPOCH_WORDS: Final = frozenset({"epoch", "ep", "current_epoch", "epoch_idx", "轮次", "轮", "エポック"})
TOTAL_EPOCHS: Final = re.compile(r"(?:(?:num|total|max|number of)[ _-]*(?:train(?:ing)?[ _-]*)?)?epochs", re.IGNORECASE)
TOTAL_STEPS: Final = re.compile(
    r"(?:total|max|num)[ _-]*(?:(?:optimi[sz]ation|train(?:ing)?)[ _-]*)?(?:steps|iterations|iters)", re.IGNORECASE
)
