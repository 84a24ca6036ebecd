"""The page's Block Kit: texts, messages and the home tab, looked at through the DOM."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from handlers.data import REACTIONS
from tests.playground.block_examples import DRAWN, TEXTS, actions, button, mrkdwn, option, plain, section
from tests.playground.gallery import draw


def test_every_kind_of_block_is_drawn(page: Any) -> None:
    for name, (block, selector, words) in DRAWN.items():
        found = draw(page, block).locator(selector).first
        found.wait_for(state="attached")
        if words is not None:
            assert (name, found.inner_text().strip()) == (name, words)


def test_texts_become_this_and_nothing_more(page: Any) -> None:
    show = (
        "(text) => { const d = document.createElement('div'); d.append(m.renderText(text, ctx)); return d.innerHTML; }"
    )
    for name, (text, html) in TEXTS.items():
        shown = page.evaluate(show, text)
        if html is None:
            assert "<script" not in shown, name
            assert "<img" not in shown, name
        else:
            assert (name, shown) == (name, f'<span class="bk-lines">{html}</span>')
    fenced = page.evaluate(show, "a\n```x *y*\n&lt;z&gt;```\n&gt; q *b*\nend")
    assert fenced == (
        '<span class="bk-lines">a<br></span><pre class="bk-fence">x *y*<br>&lt;z&gt;</pre>'
        '<blockquote class="bk-quote">q <strong>b</strong></blockquote><span class="bk-lines">end</span>'
    )
    emoji = draw(page, section(":white_check_mark:")).get_by_role("img", name="white check mark")
    assert emoji.inner_text() == "✅"


def test_every_emoji_that_the_bot_says_has_a_picture(page: Any) -> None:
    said: set[str] = set()
    for source in (Path(__file__).parents[2] / "handlers").rglob("*.py"):
        words = [n.value for n in ast.walk(ast.parse(source.read_text("utf-8"))) if isinstance(n, ast.Constant)]
        said |= {name for text in words if isinstance(text, str) for name in re.findall(r":([a-z][a-z0-9_+-]+):", text)}
    assert "white_check_mark" in said
    look = "(names) => names.filter((name) => m.emojiFor(name) === null)"
    assert page.evaluate(look, [*sorted(said), *REACTIONS]) == []
    assert page.evaluate("() => m.emojiNames().filter((name) => m.emojiFor(name) === null)") == []
    assert page.evaluate("() => m.emojiNames().length") > 150


HOSTILE = {
    "stars": "*" * 40_000,
    "openers": "*a " * 40_000,
    "tags": "<" * 40_000,
    "marks": "`_*~" * 10_000,
    "marks and a word": "*_~" * 10_000 + "a",
    "colons": ":a" * 20_000,
    "quotes": ">" * 40_000,
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_are_cheap(page: Any, hostile: str) -> None:
    took_ms = page.evaluate(
        "(text) => { const at = performance.now(); m.renderText(text, ctx); return performance.now() - at; }",
        HOSTILE[hostile],
    )
    # Quadratic work on these takes many seconds.
    assert took_ms < 2000


def test_dates_are_in_the_readers_zone(page: Any) -> None:
    told = page.evaluate(
        """() => {
          const shown = (format, seconds, reader) => {
            const place = document.createElement("div");
            place.append(m.renderText(`<!date^${seconds}^${format}|fallback>`, reader));
            return place.textContent;
          };
          const at = (format, seconds = 1392734382) => shown(format, seconds, ctx);
          const now = Math.floor(Date.now() / 1000);
          const day = 86400;
          const noon = now - now % day + day / 2;
          const near = (format, seconds) => shown(format, seconds, {...ctx, me: {id: "U", tz: "UTC"}});
          const elsewhere = {...ctx, me: {id: "U", tz: "America/New_York"}};
          return [
            at("{date_num}"), at("{date}"), at("{date_short}"), at("{date_long}"), at("{time}"), at("at {time_secs}"),
            near("{date_short_pretty} {time}", noon), near("{date_pretty}", noon + day),
            near("x {date_long_pretty}", noon - day), at("{ago}", now - 7300), at("{nope}"), at("{date}", "soon"),
            shown("{time}", 1392734382, elsewhere),
          ];
        }"""
    )
    assert told == [
        "2014-02-18", "February 18th, 2014", "Feb 18, 2014", "Tuesday, February 18th, 2014", "3:39 PM", "at 3:39:42 PM",
        "Today 12:00 PM", "Tomorrow", "x yesterday", "2 hours ago", "{nope}", "fallback", "9:39 AM",
    ]  # fmt: skip


def test_a_button_tells_once_and_is_busy_meanwhile(page: Any) -> None:
    go = draw(page, actions(button(value="v"))).get_by_role("button", name="Go")
    page.evaluate("() => { slow = true; }")
    go.dblclick()
    go.click()
    assert page.evaluate("told") == [{"action_id": "go", "block_id": "row", "chosen": "v", "state": {}}]
    assert go.get_attribute("aria-busy") == "true"
    page.evaluate("() => answer()")
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    go.click()
    assert len(page.evaluate("told")) == 2


def test_what_failed_is_said_beside_the_button(page: Any) -> None:
    page.evaluate("() => { ctx.onAction = () => Promise.reject(new Error('no answer')); }")
    root = draw(page, actions(button()))
    root.get_by_role("button").click()
    assert "no answer" in root.get_by_role("alert").inner_text()


def test_a_confirmation_comes_first(page: Any) -> None:
    asked = {
        "title": plain("Release it?"),
        "text": mrkdwn("*12 GB* are lost"),
        "confirm": plain("Yes, release"),
        "deny": plain("Keep"),
    }
    go = draw(page, actions(button(confirm=asked))).get_by_role("button", name="Go")
    go.click()
    question = page.get_by_role("dialog", name="Release it?")
    assert question.locator("strong").inner_text() == "12 GB"
    question.get_by_role("button", name="Keep").click()
    assert page.evaluate("told") == []
    go.click()
    question.get_by_role("button", name="Yes, release").click()
    page.wait_for_function("() => told.length === 1")


def test_menus_tell_what_was_chosen(page: Any) -> None:
    root = draw(
        page,
        actions(
            {"type": "static_select", "action_id": "size", "options": [option("s"), option("l")]},
            {"type": "checkboxes", "action_id": "ticks", "options": [option("a"), option("b")]},
            {"type": "overflow", "action_id": "more", "options": [option("rename"), option("share")]},
            {"type": "datepicker", "action_id": "day", "initial_date": "2026-05-01"},
        ),
    )
    root.locator("[data-action-id=size]").select_option("l")
    root.get_by_label("b", exact=True).check()
    root.locator("[data-action-id=day]").fill("2026-05-02")
    root.locator("[data-action-id=day]").blur()
    root.get_by_role("button", name="More actions").click()
    root.get_by_role("menuitem", name="rename").press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function("() => told.length === 4")
    told = page.evaluate("told")
    assert [(t["action_id"], t["chosen"]) for t in told] == [
        ("size", "l"), ("ticks", ["b"]), ("day", "2026-05-02"), ("more", "share"),
    ]  # fmt: skip
    assert told[-1]["state"] == {"size": "l", "ticks": ["b"], "day": "2026-05-02"}


def test_pictures_and_mentions_can_be_followed(page: Any) -> None:
    root = draw(page, DRAWN["image"][0], section("<#C0GPUS000> <@U0BEN0000>"))
    root.get_by_role("button", name="loss").click()
    root.get_by_role("button", name="#gpus").click()
    root.get_by_role("button", name="@ben").click()
    told = page.evaluate("told")
    assert [t.get("alt") or t["id"] for t in told] == ["loss", "C0GPUS000", "U0BEN0000"]


def test_a_home_tab(page: Any) -> None:
    view = {"type": "home", "blocks": [section("My machines", accessory=button("Stop", value="l1"))]}
    page.evaluate("(view) => root.append(m.renderHome(view, ctx), m.renderHome(null, ctx))", view)
    page.locator(".bk-home").get_by_role("button", name="Stop").click()
    assert page.evaluate("told[0].chosen") == "l1"
    assert page.locator(".bk-empty").count() == 1
