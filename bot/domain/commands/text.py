"""Slack's text undone: what a person typed, before clients and Slack rewrote it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; ``is_code`` where it stood in a code span or fence (the backticks are gone)."""

    text: str
    is_code: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A text in pieces, in order. One command; may hold several lines."""

    pieces: tuple[Piece, ...]

    @property
    def plain(self) -> str:
        """The pieces as one text."""
        return "".join(piece.text for piece in self.pieces)

    def after(self, offset: int) -> "Line":
        """What stands after the first ``offset`` characters of `plain`."""
        kept = []
        for piece in self.pieces:
            if offset < len(piece.text):
                kept.append(Piece(piece.text[offset:], piece.is_code))
            offset = max(0, offset - len(piece.text))
        return Line(tuple(kept))


_CODE = re.compile(r"```(.*?)```|`([^`\n]+)`", re.DOTALL)
_ENTITY = re.compile(r"&(amp|lt|gt);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}
_MARKUP = re.compile(r"<(https?://|ftp://|mailto:|tel:|[@#!])([^<>|\n]*)(?:\|([^<>\n]*))?>")

# NUL can be in no program's arguments, a lone surrogate in no encoding: gone from code, too.
_IMPOSSIBLE = re.compile("[\x00\ud800-\udfff]")
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile(
    "[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
    # Joiners between letters beyond ASCII belong to emoji and to Persian.
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
_MARKS = str.maketrans(
    {
        "“": '"',
        "”": '"',
        "„": '"',
        "‟": '"',
        "‘": "'",
        "’": "'",
        "‚": "'",
        "‛": "'",
        "…": "...",
        "\u2010": "-",
        "\u2011": "-",
        "\u2212": "-",
    }
)
_DASHES_AT_START = re.compile("(?<![^\\s\"'(=])(?=-*[–—―‒])[-–—―‒]+(?=([0-9])?)")
_DASHES_WITHIN = str.maketrans({"‒": "-", "–": "-", "—": "--", "―": "--"})


def read(text: str) -> Line:
    """Undo what was done to ``text`` on its way. Never raises; linear in its length.

    In prose: links and mentions become what was typed (a person stays ``<@U1>`` or ``<@U1|name>``), curly
    quotes straight, dashes hyphens, odd spaces spaces; what cannot be seen goes. In code: the three entities.
    """
    text = _IMPOSSIBLE.sub("", text)
    pieces = []
    end = 0
    for code in _CODE.finditer(text):
        pieces.append(Piece(_prose(text[end : code.start()]), is_code=False))
        if code[1] is None:
            pieces.append(Piece(_entities(code[2]), is_code=True))
        else:
            # A fence is a block of its own, also where the text does not break the line around it.
            block = Piece(_entities(code[1].strip("\r\n")), is_code=True)
            pieces += (Piece("\n", is_code=False), block, Piece("\n", is_code=False))
        end = code.end()
    pieces.append(Piece(_prose(text[end:]), is_code=False))
    return Line(tuple(piece for piece in pieces if piece.text))


def without_mentions(prose: str) -> str:
    """``<@U1|ada>`` as it was typed, ``@ada``, for text that is not ours to interpret."""
    return re.sub(r"<@([UW][A-Z0-9]+)(?:\|([\w.-]+))?>", lambda m: f"@{m[2] or m[1]}", prose)


def _prose(text: str) -> str:
    text = _entities(_MARKUP.sub(_typed, text))
    text = _INVISIBLE.sub("", _SPACE.sub(" ", _LINE_END.sub("\n", text))).translate(_MARKS)
    return _DASHES_AT_START.sub(_option_dashes, text).translate(_DASHES_WITHIN)


def _entities(text: str) -> str:
    # In one pass: what was typed as "&lt;" arrives as "&amp;lt;".
    return _ENTITY.sub(lambda m: _ENTITIES[m[1]], text)


def _typed(markup: re.Match[str]) -> str:
    kind, target, label = markup[1], markup[2], markup[3] or ""
    match kind:
        case "@":
            return f"<@{target}|{label}>" if re.fullmatch(r"[\w.-]+", label) else f"<@{target}>"
        case "#":
            return f"#{label or target}"
        case "!":
            return label or f"@{target.split('^')[0]}"
        case "mailto:" | "tel:":
            return label or target
        case _:
            # A client's own link shows what was typed; a link made by hand shows some prose.
            typed = label in (target, target.rstrip("/")) or label.rstrip("/") == (kind + target).rstrip("/")
            return label if label and typed else kind + target


def _option_dashes(dashes: re.Match[str]) -> str:
    is_minus = dashes[1] and dashes[0] in "–‒"
    return "-" if is_minus else "--"
