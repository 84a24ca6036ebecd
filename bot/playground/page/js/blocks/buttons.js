// Buttons and overflow menus.

import { freshId, h, list, safeLink } from "./dom.js";
import { act } from "./scope.js";
import { plainWords } from "./text.js";

// A button; one with an address also opens that, in a new tab.
export function button(element, blockId, scope) {
  const style = ["primary", "danger"].includes(element.style) ? ` bk-${element.style}` : "";
  const attributes = {
    class: `bk-button${style}`,
    "data-block-id": blockId,
    "data-action-id": element.action_id,
    "aria-label": element.accessibility_label ?? null,
  };
  const href = element.url ? safeLink(element.url) : null;
  const node = href
    ? h("a", { ...attributes, href, target: "_blank", rel: "noopener noreferrer" }, plainWords(element.text))
    : h("button", { ...attributes, type: "button" }, plainWords(element.text));
  node.addEventListener("click", (event) => {
    if (href && element.confirm) event.preventDefault();
    act(scope, element, blockId, element.value ?? null, node).then((done) => {
      if (done && href && element.confirm) window.open(href, "_blank", "noopener");
    });
  });
  return node;
}

// The three dots and the menu behind them.
export function overflow(element, blockId, scope) {
  const menuId = freshId();
  const opener = h("button", {
    type: "button", class: "bk-button bk-overflow", popovertarget: menuId, "aria-haspopup": "menu", "aria-expanded": "false",
    "aria-label": "More actions", "data-block-id": blockId, "data-action-id": element.action_id,
  }, "⋯");
  const menu = h("div", { id: menuId, class: "bk-menu", role: "menu", popover: "auto" });
  for (const option of list(element.options)) menu.append(entry(option, () => choose(option)));

  function choose(option) {
    menu.hidePopover();
    opener.focus();
    if (option.url && safeLink(option.url)) window.open(option.url, "_blank", "noopener");
    act(scope, element, blockId, option.value, opener);
  }
  menu.addEventListener("beforetoggle", (event) => {
    opener.setAttribute("aria-expanded", String(event.newState === "open"));
    // Its size is not known before it is shown: under the button first, mended after.
    if (event.newState === "open") put(menu, opener.getBoundingClientRect());
  });
  menu.addEventListener("toggle", (event) => {
    if (event.newState !== "open") return;
    keepInSight(menu, opener);
    menu.querySelector("button")?.focus();
  });
  menu.addEventListener("keydown", (event) => walk(menu, event));
  return h("span", { class: "bk-overflow-place" }, opener, menu);
}

function entry(option, onclick) {
  const description = option.description ? h("span", { class: "bk-description" }, plainWords(option.description)) : null;
  return h("button", { type: "button", role: "menuitem", tabindex: "-1", "data-value": option.value, onclick }, plainWords(option.text), description);
}

function put(menu, { left, bottom }) {
  menu.style.left = `${left}px`;
  menu.style.top = `${bottom + 4}px`;
}

function keepInSight(menu, opener) {
  const at = opener.getBoundingClientRect();
  const fits = at.bottom + menu.offsetHeight + 8 < window.innerHeight;
  menu.style.top = `${fits ? at.bottom + 4 : Math.max(8, at.top - menu.offsetHeight - 4)}px`;
  menu.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - menu.offsetWidth - 8))}px`;
}

function walk(menu, event) {
  const entries = [...menu.querySelectorAll("[role=menuitem]")];
  const at = entries.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  entries.at(to % entries.length)?.focus();
}
