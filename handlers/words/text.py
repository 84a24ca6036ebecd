"""Text from outside made safe for Slack: escaped, on one line, cut; no pings, no broken fences."""

import re
import unicodedata
from collections.abc import Sequence


def escaped(text: str) -> str:
    """Slack's three control characters as entities (docs.slack.dev, formatting message text)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain(text: str, longest: int = 200) -> str:
    """Somebody's or a vendor's text within a sentence: visible characters only, one line, cut, escaped."""
    shown = "".join(c if _is_visible(c) else " " for c in text[: longest * 4])
    shown = " ".join(shown.split())
    cut = shown if len(shown) <= longest else shown[: longest - 1] + "…"
    # Marks that Slack reads as formatting would swallow the sentence around them.
    return escaped(cut).translate(_MARKS)


def as_code(text: str, longest: int = 80) -> str:
    """Somebody's text as inline code: visible characters only, one line, cut to ``longest`` characters, escaped."""
    shown = " ".join("".join(c if _is_visible(c) else " " for c in text[: longest * 4]).replace("`", "'").split())
    cut = shown if len(shown) <= longest else shown[: longest - 1] + "…"
    return f"`{escaped(cut)}`" if cut else "that"


_MARKS = str.maketrans({"`": "'", "*": "∗", "_": "_\u2060", "~": "∼"})


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ"


def unmarked(text: str) -> str:
    """A sentence of ours where Slack shows plain text: no entities, quotes for code, no emphasis."""
    bare = re.sub(r"\*([^*\n]+)\*", r"\1", re.sub(r"`([^`\n]+)`", r"“\1”", text)).replace("\u2060", "")
    return bare.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def listed(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if not words:
        return ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def fenced(lines: Sequence[str], longest: int = 2500) -> str:
    """Somebody's lines in a fence, shown literally: what fits of their end in ``longest`` characters; nothing if empty.

    Cut before it is fenced and escaped whole, so that neither a fence nor an entity is ever broken; characters that
    nobody sees, such as marks that turn the direction of writing, are written as their codes.
    """
    kept: list[str] = []
    left = longest
    for line in reversed(lines):
        shown = escaped("".join(_seen(c) for c in line)).replace("`", "`\u200b")
        left -= len(shown) + 1
        if left < 0:
            break
        kept.append(shown)
    if not kept and lines:
        kept = [escaped("".join(_seen(c) for c in lines[-1][: longest // 12])).replace("`", "`\u200b") + "…"]
    return "```\n" + "\n".join(reversed(kept)) + "\n```" if kept else ""


def _seen(character: str) -> str:
    if character == "\t" or _is_visible(character):
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return f"<U+{ord(character):04X}>"
