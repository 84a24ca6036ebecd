"""A page of the playground that holds nothing but what a test draws on it, in Debian's Chromium."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tests.browser.visitor import chromium
from tests.playground.block_examples import Json, plain

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<link rel="stylesheet" href="/page/style/blocks.css"></head><body><div id="root"></div></body></html>"""
# What a surface around the blocks hands them. `told` is what reached the app; `answer` ends its waiting.
SET_UP = """async () => {
  window.m = await import("/page/js/blocks/index.js");
  window.told = []; window.errors = {}; window.submitted = []; window.left = 0; window.slow = false;
  const people = [["U0ANA0000", "ana"], ["U0BEN0000", "ben"]].map(([id, name]) => [id, {id, name, real_name: name}]);
  const wait = () => window.slow ? new Promise((done) => { window.answer = done; }) : Promise.resolve();
  window.ctx = {
    me: {id: "U0ANA0000", tz: "Europe/Berlin"},
    people: new Map(people), channels: new Map([["C0GPUS000", {id: "C0GPUS000", name: "gpus", kind: "channel"}]]),
    fileUrl: (id) => `/control/files/${id}`,
    onAction: ({action_id, block_id, chosen, state}) => {
      told.push({action_id, block_id, chosen, state});
      return wait();
    },
    onOpenPicture: (url, alt) => told.push({url, alt}),
    onChannel: (id) => told.push({id}), onPerson: (id) => told.push({id}),
    onSubmit: async (values) => { submitted.push(values); await wait(); return {errors}; },
    onClose: () => { left += 1; },
  };
}"""


@contextlib.contextmanager
def gallery_at(address: str) -> Iterator[Any]:
    """The page, empty; ``faults`` are the errors that its scripts raised. Skips where there is no browser."""
    with chromium() as browser:
        page = browser.new_page(locale="en-US")
        page.set_default_timeout(10_000)
        page.route("**/gallery", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.goto(f"{address}/gallery")
        yield page


def cleared(page: Any) -> Any:
    """The same page as at the beginning."""
    page.evaluate("() => { document.querySelectorAll('dialog').forEach((d) => d.remove()); }")
    page.evaluate("() => root.replaceChildren()")
    page.evaluate(SET_UP)
    page.faults.clear()
    return page


def draw(page: Any, *blocks: Any) -> Any:
    """These blocks, in place of what was there."""
    page.evaluate("(blocks) => root.replaceChildren(m.renderBlocks(blocks, ctx))", list(blocks))
    return page.locator("#root")


def open_modal(page: Any, *blocks: Any, **more: Any) -> Any:
    """A modal of these blocks, open on the page."""
    view = modal_of(*blocks, **more)
    page.evaluate("(view) => { window.dialog = m.openModal(view, ctx); }", view)
    return page.get_by_role("dialog", name=view["title"]["text"])


def update_modal(page: Any, *blocks: Any) -> None:
    """What views.update does to it."""
    page.evaluate("(view) => m.updateModal(dialog, view, ctx)", modal_of(*blocks))


def modal_of(*blocks: Any, **more: Any) -> Json:
    title, submit = plain("Rent"), plain("Rent it")
    return {"id": "V1", "type": "modal", "title": title, "submit": submit, "blocks": list(blocks)} | more
