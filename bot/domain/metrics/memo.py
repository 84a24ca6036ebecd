"""What is known of lines by their text alone, and so remembered between reads, of whichever output."""

import re
from typing import Final

from bot.domain.metrics.shape import Layout, Quick

MOST_KEY_BYTES: Final = 600
_MOST_KNOWN: Final = 8192
# Every line that says something has one of these words, or opens a record. GBK's 损失 is looked for in bytes.
_TELLING: Final = re.compile(
    rb"loss|epoch|step|iter|acc|rew|ppl|perplex|nll|mse|mae|err|norm|precision|recall|auc|iou|map|bleu|rouge|dice|return"
    rb"|lr|learn|psnr|ssim|ndcg|mrr|\bkl\b|entrop|elbo|bp[bc]|\bf\b|\brate\b|round|update|batch|\bep\b|cer|wer|fid|^\s*\{\s*$|^\s*\|"
    rb"|\xe6\x8d\x9f\xe5\xa4\xb1|\xe6\x90\x8d|\xe7\x8e\x87|\xe8\xbd\xae|\xcb\xf0\xca\xa7"
)
# What is left of a row of numbers without its numerals: of a CSV's, and of columns parted by blanks.
_CELLS: Final = re.compile(rb"[-+eE, \t\"naifytulNIo]*")
_SPACED_CELLS: Final = re.compile(rb"\s*(?:all|/)?\s")
_NUMERALS: Final = b"0123456789."
ALL_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
"""Makes a line's key: what lines of one layout have in common."""

LAYOUTS: Final[dict[bytes, Layout]] = {}
"""By key: the line with every digit made 0."""
QUICKS: Final[dict[bytes, Quick]] = {}
"""By key: what is known of lines that are nothing but counters and values, and have no digits in their words."""
VARIANTS: Final[dict[tuple[bytes, tuple[bytes, ...]], Layout]] = {}
"""By key and the digits in its words: other layouts of a key that `LAYOUTS` has."""
TELLING: Final[dict[bytes, bool]] = {}
"""By letters, the line without numerals: whether it has a word that metrics or counters have."""
TELLING_IN_TABLES: Final[dict[bytes, bool]] = {}
"""The same below a header: whether it has such a word, or may be a row."""


def letters_of(lines: bytes) -> list[bytes]:
    """The letters of each line, for all at once."""
    return lines.translate(None, _NUMERALS).split(b"\n")


def is_telling(line: bytes) -> bool:
    """Whether a line has a word that metrics or counters have; remembered by its letters."""
    letters = line.translate(None, _NUMERALS)
    known = TELLING.get(letters)
    if known is not None:
        return known
    telling = _TELLING.search(letters.lower()) is not None
    if len(letters) < MOST_KEY_BYTES:
        if len(TELLING) >= _MOST_KNOWN:
            TELLING.clear()
            TELLING_IN_TABLES.clear()
        TELLING[letters] = telling
        TELLING_IN_TABLES[letters] = telling or _may_be_row(letters)
    return telling


def remember(key: bytes, line: bytes, layout: Layout) -> None:
    """Lines of this key, and with these digits in their words, are laid out so."""
    if len(LAYOUTS) + len(VARIANTS) >= _MOST_KNOWN:
        LAYOUTS.clear()
        QUICKS.clear()
        VARIANTS.clear()
    first = LAYOUTS.setdefault(key, layout)
    if layout.quick is not None and not layout.words:
        QUICKS[key] = layout.quick
    if first is not layout:
        VARIANTS[key, first.words_of(line)] = layout


def _may_be_row(letters: bytes) -> bool:
    return _SPACED_CELLS.match(letters) is not None or (b"," in letters and _CELLS.fullmatch(letters) is not None)
