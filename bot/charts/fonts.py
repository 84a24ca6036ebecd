"""Fonts, and texts that they can show: what no font has is said otherwise, never drawn as boxes."""

import unicodedata
from functools import lru_cache
from typing import Final

from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

_LATIN: Final = "DejaVu Sans"  # comes with matplotlib
_CJK: Final = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Source Han Sans SC", "Source Han Sans CN",
    "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "AR PL UMing CN", "IPAexGothic", "IPAGothic",
    "Unifont", "Microsoft YaHei", "SimHei", "PingFang SC", "Hiragino Sans", "Arial Unicode MS",
)  # fmt: skip
_MEANINGS: Final = (
    ("准确率", "accuracy "), ("正确率", "accuracy "), ("学习率", "learning rate "), ("困惑度", "perplexity "),
    ("训练", "train "), ("验证", "val "), ("测试", "test "), ("损失", "loss "), ("精度", "accuracy "),
    ("平均", "mean "),
    ("検証", "val "), ("学習", "train "), ("損失", "loss "),
)  # fmt: skip
_UNKNOWN: Final = "?"


@lru_cache(maxsize=64)
def font(size_pt: float, *, is_bold: bool = False) -> FontProperties:
    """The font for all texts: Latin first, then a font with Chinese, Japanese and Korean where this machine has one."""
    return FontProperties(family=list(_families()), size=size_pt, weight="bold" if is_bold else "normal")


def shown(text: str, most_chars: int) -> str:
    """``text`` on one line as it can be drawn, cut to ``most_chars``.

    Control and direction marks are left out; words without glyphs are translated where the metric is a known one, else
    each character becomes a question mark.
    """
    text = " ".join(
        "".join(" " if char.isspace() else char for char in text[: 4 * most_chars] if _is_printed(char)).split()
    )
    if not all(map(_has_glyph, text)):
        for word, meaning in _MEANINGS:
            text = text.replace(word, meaning) if not _has_glyph(word[0]) else text
        text = " ".join("".join(char if _has_glyph(char) else _UNKNOWN for char in text).split())
    return text if len(text) <= most_chars else text[: most_chars - 1].rstrip() + "…"


@lru_cache(maxsize=1)
def _families() -> tuple[str, ...]:
    present = {entry.name for entry in fontManager.ttflist}
    return (_LATIN, *(name for name in _CJK if name in present))


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    """Every character that one of the fonts can draw."""
    return frozenset().union(*(get_font(findfont(FontProperties(family=name))).get_charmap() for name in _families()))


def _has_glyph(char: str) -> bool:
    return ord(char) in _glyphs()


def _is_printed(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
