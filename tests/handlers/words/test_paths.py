"""Names of files as people read them: nothing in a name acts, and nothing of it is swallowed."""

import pytest

from bot.domain.inventory.inventory import Inventory, ShownFile, Verdict
from handlers.blocks import SECTION_TEXT
from handlers.words.inventory import details, summary
from handlers.words.paths import LONGEST, path_words, size_words
from tests.domain.lifecycle.sample import NOW


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (b"~/work/model.pt", "`~/work/model.pt`"),
        (b"~/a  b", "`~/a  b`"),
        (b"~/<!channel> & <@U1>", "`~/&lt;!channel&gt; &amp; &lt;@U1&gt;`"),
        (b"~/new\nline\r\t", "`~/new\\nline\\r\\t`"),
        ("~/\u202egnp.exe\u200b".encode(), "`~/\\u202egnp.exe\\u200b`"),
        (b"~/\xff\xfe", "`~/\\xff\\xfe`"),
        (b"~/\x1b[2J", "`~/\\x1b[2J`"),
        (b"~/```", "`~/\\x60\\x60\\x60`"),
        (b"~/back\\slash", "`~/back\\\\slash`"),
        ("~/größe ☃ 🦊".encode(), "`~/größe ☃ 🦊`"),
        (b"~/work/" + b"x" * 255, f"`~/work/{'x' * 255}`"),
    ],
)
def test_a_name_is_shown_literally(path: bytes, shown: str) -> None:
    assert path_words(path) == shown


def test_of_what_is_too_long_the_end_is_kept() -> None:
    shown = path_words(b"~/" + b"deep/" * 1000 + b"model.pt")
    assert shown.startswith("`…")
    assert shown.endswith("deep/model.pt`")
    assert len(shown) <= LONGEST + 2


@pytest.mark.parametrize("name", [b"<" * 255, b"\xff" * 255, b"&" * 4000, "🦊".encode() * 63])
def test_the_longest_names_fit_into_one_message(name: bytes) -> None:
    files = tuple(ShownFile(b"~/%d/" % n + name, 10**12, 0) for n in range(5))
    others = tuple(ShownFile(b"~/other/%d/" % n + name, 10**12, 0) for n in range(5))
    for part in details(Inventory(NOW, files=10, newest=files, biggest=others, told="{}")):
        assert len(part) <= SECTION_TEXT
        assert part.count("•") == 5


@pytest.mark.parametrize(
    ("size_bytes", "shown"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_950, "100 kB"), (1_234_567, "1.2 MB"), (10**12, "1.0 TB")],
)
def test_sizes(size_bytes: int, shown: str) -> None:
    assert size_words(size_bytes) == shown


def test_what_is_unknown_is_never_said_to_be_safe() -> None:
    from bot.domain.inventory.inventory import WhyUnknown, unknown

    for why in WhyUnknown:
        found = unknown(why, NOW)
        assert found.verdict is Verdict.UNKNOWN
        assert "everything on it exists nowhere else" in summary(found)
