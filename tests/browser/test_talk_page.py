"""What people do at the page besides renting: read, write, share files, walk by keys, on a phone, through a restart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor, is_loaded
from tests.e2e.deployment import GPUS, Deployment

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
PICTURE = Path(__file__).parents[2] / "docs" / "curve.png"


def test_what_came_elsewhere_is_marked_until_it_is_read(visit: Visit, town: Deployment) -> None:
    ana = visit()
    ana.place("random").click()
    expect(ana.page.get_by_role("heading", name="random", level=1)).to_be_visible()
    ana.place("gpus").click()
    expect(ana.page.get_by_role("heading", name="gpus", level=1)).to_be_visible()
    town.person("ben").say("#random", "the old dataset is gone")
    expect(ana.place("random")).to_have_accessible_name("random, channel, 1 unread")
    town.person("ben").say("#random", "@ana have you seen it?")
    expect(ana.place("random")).to_have_accessible_name("random, channel, 2 unread")
    expect(ana.page).to_have_title(re.compile(r"^\(1\) gpus"))
    ana.place("random").click()
    expect(ana.feed.get_by_role("separator").filter(has_text="New")).to_be_visible()
    expect(ana.message("@ana have you seen it?")).to_be_visible()
    expect(ana.place("random")).to_have_accessible_name("random, channel")
    expect(ana.page).to_have_title(re.compile("^random"))


def test_files_are_shared_from_the_message_box(visit: Visit, tmp_path: Path) -> None:
    ana, ben = visit("ana"), visit("ben")
    notes = tmp_path / "notes.txt"
    notes.write_text("lr 3e-4 was best")
    with ana.page.expect_file_chooser() as chooser:
        ana.main.get_by_role("button", name="Attach files").click()
    chooser.value.set_files([notes, PICTURE])
    leave_out = ana.main.get_by_role("button", name="Leave out notes.txt")
    expect(leave_out).to_be_visible()
    ana.box.fill("what I found")
    ana.main.get_by_role("button", name="Send").click()
    expect(leave_out).to_be_hidden()
    shared = ben.message("what I found")
    with ben.page.expect_download() as download:
        shared.get_by_role("link", name="notes.txt").click()
    assert Path(download.value.path()).read_text() == "lr 3e-4 was best"
    picture = shared.get_by_role("button", name=re.compile("^Enlarge")).get_by_role("img")
    picture.scroll_into_view_if_needed()
    assert is_loaded(picture)


def test_what_was_missed_comes_after_the_server_was_away(visit: Visit, town: Deployment) -> None:
    ana = visit()
    expect(ana.status).to_be_hidden()
    town.server.stop()
    expect(ana.status).to_have_text("Connecting to the playground…")
    ana.types("said to nobody")
    expect(ana.box).to_have_value("said to nobody")
    # Kept from the news until something was said that the page cannot have heard.
    ana.page.route("**/control/page/news*", lambda route: route.abort())
    town.server.start()
    town.person("ben").say("#gpus", "said while you were away")
    expect(ana.status).to_be_visible()
    expect(ana.message("said while you were away")).to_be_hidden()
    ana.page.unroute("**/control/page/news*")
    expect(ana.message("said while you were away")).to_be_visible()
    expect(ana.status).to_be_hidden()
    ana.box.press("Enter")
    expect(ana.message("said to nobody")).to_be_visible()
    town.wait(lambda: town.workspace.sockets() >= 1)
    ana.types("/gpu status")
    expect(ana.message("Only visible to you", "no machine")).to_be_visible()
    # A browser tells of each attempt that found nobody, and nothing else went wrong.
    assert [fault for fault in ana.faults if "net::ERR_" not in fault] == []
    ana.faults.clear()


def test_a_press_is_not_lost_when_its_message_changes_under_it(visit: Visit, town: Deployment) -> None:
    ben = town.person("ben")
    said = ben.say(GPUS, "first words")
    ana = visit()
    ana.message("first words").hover()
    button = ana.message("first words").get_by_role("button", name="Reply in thread")
    button.hover()
    ana.page.mouse.down()
    with ana.page.expect_response(lambda got: "other words" in got.text() if "page/messages" in got.url else False):
        ben.edit(said, "other words")
    ana.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    ana.page.mouse.up()
    expect(ana.thread).to_be_visible()
    expect(ana.reply("other words")).to_be_visible()


def test_all_can_be_done_by_keys(visit: Visit, town: Deployment) -> None:
    town.person("ben").say(GPUS, "who has the a100?")
    ana = visit()
    keys = ana.page.keyboard
    expect(ana.message("who has the a100?")).to_be_visible()
    keys.press("Control+k")
    keys.type("rand")
    keys.press("Enter")
    expect(ana.page.get_by_role("heading", name="random", level=1)).to_be_visible()
    keys.press("Control+k")
    keys.type("gpus")
    keys.press("Enter")
    expect(ana.page.get_by_role("heading", name="gpus", level=1)).to_be_visible()
    expect(ana.box).to_be_focused()
    ana.place("gpus").click()
    expect(ana.box).not_to_be_focused()
    keys.type("/g")
    expect(ana.box).to_be_focused()
    expect(ana.page.get_by_role("option").filter(has_text="/gpu")).to_be_visible()
    keys.press("Tab")
    keys.type("rent")
    keys.press("Enter")
    form = ana.page.get_by_role("dialog", name="Rent a machine")
    expect(form.get_by_label("Machine")).to_be_focused()
    keys.press("Escape")
    expect(form).to_be_hidden()
    walk(ana, "Tab", "Message #gpus")
    walk(ana, "Shift+Tab", "(Ana Ortega|Ben Okafor|gpubot) at ")
    keys.press("End")
    walk(ana, "ArrowUp", "Ben Okafor at ")
    walk(ana, "Tab", "Reply in thread")
    keys.press("Enter")
    expect(ana.thread.get_by_role("combobox", name="Reply…")).to_be_focused()
    keys.type("I have it until noon")
    keys.press("Enter")
    expect(ana.reply("I have it until noon")).to_be_visible()
    keys.press("Escape")
    expect(ana.thread).to_be_hidden()
    assert ana.page.evaluate("() => getComputedStyle(document.body).opacity") == "1"


def walk(ana: Visitor, key: str, name: str) -> None:
    """Press a key until what is so called has the focus."""
    for _ in range(60):
        if re.match(name, ana.page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? ''")):
            return
        ana.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {name}")


def test_a_narrow_screen_shows_one_thing_at_a_time(visit: Visit, town: Deployment) -> None:
    card = town.handed_over("pocket")
    ana = visit(**PHONE)
    drawer = ana.page.get_by_role("button", name="Channels")
    expect(ana.place("random")).not_to_be_in_viewport()
    drawer.tap()
    expect(ana.place("random")).to_be_in_viewport()
    ana.place("random").tap()
    expect(ana.place("random")).not_to_be_in_viewport()
    expect(ana.page.get_by_role("heading", name="random", level=1)).to_be_visible()
    drawer.tap()
    ana.place("gpus").tap()
    expect(ana.card("pocket")).to_contain_text("ready until")
    town.person("ben").reply(card, "may I have it after you?")
    ana.opens_thread("pocket")
    expect(ana.reply("may I have it after you?")).to_be_in_viewport()
    assert ana.thread.bounding_box()["width"] == PHONE["viewport"]["width"]
    assert ana.page.evaluate("() => document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    ana.thread.get_by_role("button", name="Back").tap()
    expect(ana.thread).to_be_hidden()
    ana.types("/gpu rent")
    form = ana.page.get_by_role("dialog", name="Rent a machine")
    submit = form.get_by_role("button", name="Rent", exact=True)
    expect(submit).to_be_in_viewport()
    form.get_by_role("button", name="Not now").tap()
    expect(form).to_be_hidden()
