"""Lines from outside in a fence: shown literally, never out of it, never too long."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.jobs.ending import Ending, EndingKind
from handlers.words.endings import advice, ending_icon, ending_words
from handlers.words.text import fenced


def test_pings_fences_and_turned_text_are_shown_literally() -> None:
    shown = fenced(("<!channel> <@U1> & co", "```", "\u202egnp.exe\x07\u200b"))
    assert "&lt;!channel&gt; &lt;@U1&gt; &amp; co" in shown
    assert shown.count("```") == 2
    assert "&lt;U+202E&gt;gnp.exe&lt;U+0007&gt;&lt;U+200B&gt;" in shown


def test_the_end_is_kept_and_no_entity_is_cut() -> None:
    shown = fenced([f"line {n} <&>" for n in range(1000)], 200)
    assert len(shown) < 220
    assert "line 999 &lt;&amp;&gt;" in shown
    assert "line 0 " not in shown
    assert fenced(()) == ""


@given(st.lists(st.text(max_size=400), max_size=30))
def test_any_lines_stay_within_their_fence(lines: list[str]) -> None:
    shown = fenced(lines, 500)
    assert len(shown) <= 520
    assert shown.count("```") in (0, 2)
    inner = shown[4:-4]
    assert "<" not in inner
    assert "\u202e" not in inner


def test_every_ending_has_words() -> None:
    for kind in EndingKind:
        ending = Ending(kind, exit_code=1, signal=9, by="U1", code="machine-released", detail="<!here>")
        assert ending_words(ending)
        assert ending_icon(ending).startswith(":")
        assert "<!here>" not in ending_words(ending) + advice(ending, None)
