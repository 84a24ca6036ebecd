"""What a metric's name means: its role, which data it was measured on, and which names are no metrics."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Role(StrEnum):
    """What kind of number it is."""

    LOSS = "loss"
    ERROR = "error"
    """Lower is better, but not what is trained on: error rates, perplexity, distances."""
    SCORE = "score"
    """Higher is better: accuracy and its kin."""
    REWARD = "reward"
    LEARNING_RATE = "learning-rate"
    GRADIENT_NORM = "gradient-norm"
    OTHER = "other"


class Split(StrEnum):
    """Which data a value was measured on. A name that does not say is ``TRAIN``."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Meaning:
    """A metric's role and split, read from its name alone."""

    role: Role
    split: Split


_PART: Final = r"(?:(?<=[^a-z])|^)(?:{})(?![a-z])"
_ROLES: Final = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (Role.LEARNING_RATE, _PART.format(r"lr|learning[ _-]?rate") + "|学习率|学習率"),
        (Role.GRADIENT_NORM, _PART.format(r"g(?:rad(?:ient)?)?s?[ _-]?norm")),
        (
            Role.ERROR,
            _PART.format(r"ppl|perplexity|[cw]er|fid|bp[bc]|(?:train|val|valid|eval|test)[ _-]error|error[ _-]rate")
            + "|困惑度|误差|誤差",
        ),
        (
            Role.SCORE,
            r"accuracy|" + _PART.format(
                r"b?acc[1-9]?|avg_acc|top[1-9]|precision|recall|f1|auc|auroc|aucpr|m?ap[0-9]*|m?iou|dice|bleu|rouge[0-9l]*"
                r"|psnr|ssim|r2|ndcg|mrr|exact_match"
            ) + "|准确率|正确率|精度",
        ),
        (Role.REWARD, _PART.format(r"rewards?|rew|(?:ep|episode|episodic|mean|avg|average)[ _/-]returns?")),
        (Role.LOSS, r"loss(?:es)?(?![a-z])|" + _PART.format(r"nll|r?mse|mae|cross[ _-]?entropy|elbo") + "|损失|損失"),
        (Role.OTHER, _PART.format(r"(?:approx_)?kl|kl_div|explained_variance")),
    )
)  # fmt: skip
_NO_METRIC: Final = re.compile(
    _PART.format(
        r"thresh(?:old)?|target|packets?|best|patience|stop|early|limit|clip|clipping|hearing|frame|heat|power"
    )
    + "|阈值"
)
# These only turn what they follow into a setting: loss_coef is none, ent_coef_loss is a loss.
_SETTING: Final = re.compile(
    _PART.format(
        r"scale|scaler|scaling|weights?|weighting|function|fn|func|coefs?|coeff|coefficient|thr|type|smoothing|tol|tolerance"
        r"|init|initial|decay|warmup|scheduler|schedule|ratio|factor|multiplier|mult|delta|seed|size|count|num|time|name|id"
        r"|every|beta[0-9]?|gamma|alpha|eps|epsilon|lambda|margin|window|interval|frequency|freq|steps|iters|epochs"
    )
    + "|函数|权重|関数"
)
_LIMIT_OF_A_RATE: Final = re.compile(_PART.format(r"max(?:imum)?|min(?:imum)?|peak|final|end|start|base|init|initial"))
_VALIDATION: Final = re.compile(
    _PART.format(r"val(?:id(?:ation|ating)?)?(?:_[0-9])?|eval(?:uation|uating)?|dev") + "|验证|検証"
)
_TEST: Final = re.compile(_PART.format(r"test(?:ing)?|heldout|held[ _-]out") + "|测试|テスト")
_FROM_CUSTOM: Final = {
    "average loss": Split.TEST,    # pytorch/examples prints it of the test set alone
    "lm loss value": Split.VALIDATION,    # Megatron-LM, on the line that begins "validation loss"
    "lm loss ppl": Split.VALIDATION,
}  # fmt: skip
MOST_NAME_CHARS: Final = 80


@lru_cache(maxsize=4096)
def meaning(name: str) -> Meaning | None:
    """What ``name`` stands for, or None where it is no metric (a counter, a setting, prose).

    Where several words would fit, the last one in the name decides: ``loss PPL`` is a perplexity.
    """
    lower = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    if len(name) > MOST_NAME_CHARS or _NO_METRIC.search(lower):
        return None
    found: tuple[int, Role] | None = None
    for role, pattern in _ROLES:
        end = max((match.end() for match in pattern.finditer(lower)), default=-1)
        if end >= 0 and (found is None or end > found[0]):
            found = (end, role)
    if found is None or _SETTING.search(lower, found[0]):
        return None
    if found[1] in (Role.LEARNING_RATE, Role.GRADIENT_NORM) and _LIMIT_OF_A_RATE.search(lower):
        return None
    return Meaning(found[1], _split(lower))


def _split(lower: str) -> Split:
    known = _FROM_CUSTOM.get(lower)
    if known:
        return known
    if _VALIDATION.search(lower):
        return Split.VALIDATION
    return Split.TEST if _TEST.search(lower) else Split.TRAIN
