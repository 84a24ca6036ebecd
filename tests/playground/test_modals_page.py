"""The page's modals: what they gather, what they object to, and what an update leaves alone."""

from __future__ import annotations

from typing import Any

from tests.playground.block_examples import field, option, plain, section
from tests.playground.gallery import open_modal, update_modal

GPU = field(
    "gpu",
    {"type": "static_select", "option_groups": [{"label": plain("here"), "options": [option("a100"), option("h100")]}]},
)
HOURS = field("hours", {"type": "number_input", "is_decimal_allowed": False, "min_value": "1", "max_value": "48"})
NAME = field("name", {"type": "plain_text_input", "min_length": 3, "max_length": 8}, optional=True)
WHY = field("why", {"type": "plain_text_input", "multiline": True, "initial_value": "because"}, optional=True)
KIND = field("kind", {"type": "radio_buttons", "options": [option("spot", description=plain("cheap")), option("firm")]})
TAGS = field("tags", {"type": "multi_static_select", "max_selected_items": 1, "options": [option("x"), option("y")]})
TICKS = field("ticks", {"type": "checkboxes", "options": [option("p")], "initial_options": [option("p")]})
START = field("start", {"type": "datetimepicker", "initial_date_time": 1767225600})
CLOCK = field("clock", {"type": "timepicker", "initial_time": "09:30"})
OTHERS = {
    "who": "users_select",
    "where": "conversations_select",
    "day": "datepicker",
    "mail": "email_text_input",
    "site": "url_text_input",
    "paper": "file_input",
}
FORM = [GPU, HOURS, NAME, WHY, KIND, TAGS | {"optional": True}, TICKS, START, CLOCK]
FORM += [field(name, {"type": kind}, optional=True) for name, kind in OTHERS.items()]


def error_of(modal: Any, label: str) -> str:
    """What stands beside a field, as its control refers to it."""
    described = modal.get_by_label(label).first.locator("xpath=ancestor-or-self::*[@aria-describedby][1]")
    return modal.locator(f"#{described.get_attribute('aria-describedby').split()[-1]}").inner_text()


def test_a_modal_gives_its_values(page: Any) -> None:
    page.evaluate("() => { ctx.onUpload = async (file) => `F-${file.name}`; }")
    modal = open_modal(page, *FORM)
    assert page.evaluate("document.activeElement.dataset.actionId") == "gpu"
    modal.get_by_label("The gpu").select_option("h100")
    modal.get_by_label("The hours").fill("4")
    modal.get_by_label("spot").check()
    modal.get_by_label("The who").select_option("U0BEN0000")
    modal.get_by_label("The where").select_option("C0GPUS000")
    modal.get_by_label("The day").fill("2026-05-01")
    modal.get_by_label("The paper").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"})
    modal.locator(".bk-files li").get_by_text("a.txt").wait_for()
    modal.get_by_label("The hours").press("Enter")
    page.wait_for_function("() => submitted.length === 1")
    assert page.evaluate("submitted[0]") == {
        "gpu": "h100", "hours": "4", "name": None, "why": "because", "kind": "spot", "tags": None, "ticks": ["p"],
        "who": "U0BEN0000", "where": "C0GPUS000", "day": "2026-05-01", "clock": "09:30", "start": 1767225600,
        "mail": None, "site": None, "paper": ["F-a.txt"],
    }  # fmt: skip


def test_what_is_wrong_is_said_beside_its_field(page: Any) -> None:
    modal = open_modal(page, *FORM)
    modal.get_by_label("The hours").fill("50")
    modal.get_by_label("The name").fill("ab")
    modal.get_by_label("The mail").fill("nobody")
    for tag in ("x", "y"):
        modal.get_by_label(tag, exact=True).check()
    modal.get_by_role("button", name="Rent it").click()
    assert error_of(modal, "The gpu").endswith("This has to be filled in.")
    assert error_of(modal, "The hours").endswith("48 or less, please.")
    assert error_of(modal, "The name").endswith("At least 3 characters, please.")
    assert error_of(modal, "spot").endswith("This has to be filled in.")
    assert error_of(modal, "x").endswith("At most 1, please.")
    assert error_of(modal, "The mail").endswith("This is no mail address.")
    assert page.evaluate("submitted") == []
    assert page.evaluate("document.activeElement.dataset.actionId") == "gpu"


def test_the_apps_errors_stand_beside_their_fields(page: Any) -> None:
    modal = open_modal(page, field("length", {"type": "plain_text_input", "initial_value": "soon"}))
    page.evaluate("() => { slow = true; errors = {length: 'Say it like 4h', gone: 'And this'}; }")
    submit = modal.get_by_role("button", name="Rent it")
    submit.click()
    submit.click(force=True)
    assert page.evaluate("submitted.length") == 1
    assert submit.get_attribute("aria-disabled") == "true"
    page.evaluate("() => answer()")
    modal.get_by_text("Say it like 4h").wait_for()
    assert error_of(modal, "The length").endswith("Say it like 4h")
    assert modal.get_by_label("The length").get_attribute("aria-invalid") == "true"
    assert modal.locator(".bk-trouble").inner_text() == "And this"
    assert submit.get_attribute("aria-disabled") is None
    modal.get_by_label("The length").fill("4h")
    assert error_of(modal, "The length") == ""


def test_an_update_keeps_what_was_typed_and_the_focus(page: Any) -> None:
    name = {"type": "plain_text_input", "initial_value": "first"}
    modal = open_modal(page, section("$ 1"), field("name", name), field("hours", name), KIND)
    modal.get_by_label("firm").check()
    modal.get_by_label("The hours").fill("12 hours")
    modal.get_by_label("The name").fill("abcdef")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    # The label changes, so this block is drawn anew; of another the block id changes, so it begins anew.
    changed = field("name", name, label=plain("A name"))
    other = field("hours", name) | {"block_id": "others"}
    update_modal(page, section("$ 2"), changed, other, KIND)
    assert modal.get_by_text("$ 2").is_visible()
    page.keyboard.type("-")
    assert modal.get_by_label("A name").input_value() == "abc-def"
    assert modal.get_by_label("The hours").input_value() == "first"
    assert modal.get_by_label("firm").is_checked()


def test_an_input_that_dispatches_tells_the_whole_state(page: Any) -> None:
    typed = {"type": "plain_text_input", "dispatch_action_config": {"trigger_actions_on": ["on_character_entered"]}}
    modal = open_modal(page, GPU | {"dispatch_action": True}, field("length", typed, dispatch_action=True), WHY)
    page.evaluate("() => { slow = true; }")
    modal.get_by_label("The gpu").select_option("a100")
    modal.get_by_label("The gpu").select_option("h100")
    assert [t["chosen"] for t in page.evaluate("told")] == ["a100"]
    page.evaluate("() => { slow = false; answer(); }")
    # The choice that was made meanwhile is told once the first has been answered.
    page.wait_for_function("() => told.length === 2")
    modal.get_by_label("The length").press_sequentially("12")
    page.wait_for_function("() => told.at(-1).chosen === '12'")
    last = page.evaluate("told.at(-1)")
    assert (last["block_id"], last["action_id"]) == ("length", "length")
    assert page.evaluate("told[1]")["chosen"] == "h100"
    assert last["state"] == {"gpu": "h100", "length": "12", "why": "because"}


def test_a_modal_is_left_with_escape_or_cancel(page: Any) -> None:
    for leave in ("Escape", "Not now"):
        modal = open_modal(page, section("hello"), close=plain("Not now"))
        if leave == "Escape":
            page.keyboard.press("Escape")
        else:
            modal.get_by_role("button", name="Not now").click()
        modal.wait_for(state="detached")
    assert page.evaluate("left") == 2


def test_an_accepted_modal_waits_until_it_is_changed(page: Any) -> None:
    modal = open_modal(page, field("name", {"type": "plain_text_input", "initial_value": "fox"}))
    submit = modal.get_by_role("button", name="Rent it")
    submit.click()
    page.wait_for_function("() => submitted.length === 1")
    submit.click(force=True)
    update_modal(page, field("other", {"type": "plain_text_input", "initial_value": "hen"}))
    submit.click()
    page.wait_for_function("() => submitted.length === 2")
    assert page.evaluate("submitted") == [{"name": "fox"}, {"other": "hen"}]
