"""What people do with machines, at the page with the real bot behind it: rent, press, watch, answer, look home."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor, is_loaded
from tests.e2e.deployment import Deployment

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect

LEARNING = "for e in 1 2 3 4; do echo Epoch $e/4, Loss: 0.$((9 - e))120; done"


def ready(ana: Visitor, name: str) -> Any:
    """Her machine's card, once it is handed over."""
    ana.types(f"/gpu rent cpu 1h name={name}")
    card = ana.card(name)
    expect(card).to_contain_text("ready until")
    return card


def test_a_machine_is_rented_from_the_message_box(visit: Visit) -> None:
    ana = visit()
    ana.box.press_sequentially("/g")
    expect(ana.page.get_by_role("option").filter(has_text="/gpu")).to_be_visible()
    ana.box.press("Enter")
    expect(ana.box).to_have_value("/gpu ")
    ana.box.press_sequentially("rent a100 1h name=typed")
    ana.box.press("Enter")
    expect(ana.message("Only visible to you", "Renting typed", "$1.29 in whole")).to_be_visible()
    card = ana.card("typed")
    expect(card).to_contain_text("ready until")
    expect(card).to_contain_text("1× A100 40GB (simulated)")
    for button in ("How to log in", "Extend 1 h", "Stop", "Release"):
        expect(card.get_by_role("button", name=button)).to_be_visible()


def test_a_machine_is_rented_from_the_form(visit: Visit) -> None:
    ana = visit()
    ana.types("/gpu rent")
    form = ana.page.get_by_role("dialog", name="Rent a machine")
    expect(form).to_contain_text("$0.16 in whole")
    machine = form.get_by_label("Machine")
    h100 = machine.get_by_role("option").filter(has_text=re.compile("^1× H100"))
    machine.select_option(h100.inner_text())
    expect(form).to_contain_text("$11.16 in whole")
    form.get_by_label("For how long").select_option("1 h")
    expect(form).to_contain_text("$2.79 in whole")
    name, length = form.get_by_label("Name"), form.get_by_label("Another length")
    name.fill("My Machine")
    length.fill("90")
    form.get_by_role("button", name="Rent", exact=True).click()
    expect(name).to_have_accessible_description(re.compile("cannot be a lease's name"))
    expect(length).to_have_accessible_description(re.compile("has no unit"))
    expect(length).to_be_focused()
    name.fill("formed")
    length.fill("90m")
    expect(length).to_have_accessible_description(re.compile(r"clock\.\s*$"))
    expect(form).to_contain_text("$4.18 in whole")
    form.get_by_role("button", name="Rent", exact=True).click()
    expect(form).to_be_hidden()
    expect(ana.card("formed")).to_contain_text("$4.18 quoted")


def test_buttons_of_a_card_do_what_they_say(visit: Visit) -> None:
    ana = visit()
    card = ready(ana, "pressed")
    card.get_by_role("button", name="Extend 1 h").click()
    expect(ana.message("Only visible to you", "pressed is extended until")).to_be_visible()
    expect(card).to_contain_text("$0.08 quoted")
    card.get_by_role("button", name="Stop", exact=True).click()
    expect(card).to_contain_text("stopped since")
    expect(card.get_by_role("button", name="Start")).to_be_visible()
    expect(card.get_by_role("button", name="Stop", exact=True)).to_be_hidden()


def test_a_jobs_curve_is_seen_and_enlarged(visit: Visit) -> None:
    ana = visit()
    ready(ana, "learned")
    ana.types(f"/gpu run learned -- `{LEARNING}`")
    ana.opens_thread("learned")
    job = ana.reply("learned/1 · ", "done, exit 0")
    expect(ana.card("learned").get_by_role("button", name=re.compile("^[0-9]+ repl"))).not_to_contain_text("new")
    curve = job.get_by_role("button", name=re.compile("loss", re.IGNORECASE)).get_by_role("img")
    expect(curve).to_have_accessible_name(re.compile("→ 0.512"))
    assert is_loaded(curve)
    curve.click()
    large = ana.page.get_by_role("dialog").get_by_role("img")
    assert is_loaded(large)
    assert large.bounding_box()["width"] > curve.bounding_box()["width"]
    ana.page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(ana.thread).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.thread).to_be_hidden()


def test_reactions_answer_the_question_of_a_release(visit: Visit, town: Deployment) -> None:
    ana = visit()
    card = ready(ana, "asked")
    town.write("asked", "model.pt", b"x" * 5000)
    card.get_by_role("button", name="Release", exact=True).click()
    ana.opens_thread("asked")
    question = ana.reply("Release asked", "Would be lost: 1 file, 5.0 kB")
    question.get_by_role("button", name="Add a reaction").click()
    ana.page.get_by_role("searchbox", name="Search emoji").fill("x")
    ana.page.get_by_role("option", name="x", exact=True).click()
    expect(ana.reply("Nothing was released")).to_be_visible()
    town.write("asked", "other.pt", b"x" * 1000)
    card.get_by_role("button", name="Release", exact=True).click()
    again = ana.reply("Release asked", "Would be lost: 2 files, 6.0 kB")
    seeded = again.get_by_role("button", name=re.compile("reacted with :white_check_mark:"))
    expect(seeded).to_have_attribute("aria-pressed", "false")
    seeded.click()
    expect(ana.reply("approved the release")).to_be_visible()
    expect(ana.reply("Receipt for asked", "Knowingly lost: 2 files, 6.0 kB")).to_be_visible()
    expect(card).to_contain_text("released")
    expect(card.get_by_role("button", name="Release", exact=True)).to_be_hidden()


def test_two_people_see_different_things(visit: Visit) -> None:
    ana, ben = visit("ana"), visit("ben")
    ready(ana, "shared")
    expect(ana.message("Only visible to you", "Renting shared")).to_be_visible()
    card = ben.card("shared")
    expect(card).to_contain_text("ready until")
    expect(ben.message("Only visible to you")).to_be_hidden()
    card.get_by_role("button", name="How to log in").click()
    expect(ben.message("Only visible to you", "Only @ana", "can do that")).to_be_visible()
    expect(ana.message("Only visible to you")).to_have_count(1)
    expect(ana.goes_home()).to_contain_text("shared · CPU only")
    home = ben.goes_home()
    expect(home).to_contain_text("You have no machine.")
    expect(home).to_contain_text("• shared · @ana")


def test_the_home_tab_has_buttons_that_work(visit: Visit) -> None:
    cy = visit("cy")
    home = cy.goes_home()
    expect(home).to_contain_text("You have no machine.")
    home.get_by_role("button", name="Rent a machine").click()
    form = cy.page.get_by_role("dialog", name="Rent a machine")
    form.get_by_label("Name").fill("homely")
    form.get_by_role("button", name="Rent", exact=True).click()
    expect(home).to_contain_text("homely · CPU only")
    expect(home).to_contain_text("ready until")
    home.get_by_role("button", name="Stop", exact=True).click()
    expect(home).to_contain_text("stopped since")
    cy.page.get_by_role("tab", name="Messages").click()
    expect(cy.message("Stopping homely")).to_be_visible()
