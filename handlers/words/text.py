"""Text from outside made safe for Slack: escaped, on one line, cut; no pings, no broken fences."""

import unicodedata


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


def listed(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if not words:
        return ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
