// What lies over the page for a moment: popovers, dialogs, toasts, a picture.

import { h } from "./dom.js";
import { icon } from "./icons.js";

let open = null;

// A small window beside something. It closes on Escape, on a click elsewhere, and when another one opens.
export function popover(anchor, content, { label, kind = "", role = "dialog" }) {
  if (open?.anchor === anchor) return closePopover();
  closePopover();
  const node = h("div", { class: `popover ${kind}`, role, "aria-label": label }, content);
  document.body.append(node);
  place(node, anchor);
  anchor.setAttribute("aria-expanded", "true");
  open = { node, anchor };
  node.querySelector("input, button")?.focus({ preventScroll: true });
  return node;
}

export function closePopover({ refocus = true } = {}) {
  if (!open) return null;
  const { node, anchor } = open;
  open = null;
  const inside = node.contains(document.activeElement);
  node.remove();
  anchor.setAttribute("aria-expanded", "false");
  if (inside && refocus && anchor.isConnected) anchor.focus({ preventScroll: true });
  return null;
}

function place(node, anchor) {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = node;
  const below = at.bottom + 6 + height < innerHeight;
  const top = below ? at.bottom + 6 : Math.max(8, at.top - height - 6);
  node.style.top = `${Math.min(top, Math.max(8, innerHeight - height - 8))}px`;
  node.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`;
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.node.contains(event.target) && !open.anchor.contains(event.target)) closePopover({ refocus: false });
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !open) return;
  event.stopPropagation();
  event.preventDefault();
  closePopover();
}, true);
window.addEventListener("resize", () => closePopover());

// Entries to choose from, with arrow keys: {words, detail, lead, checked, danger, choose}.
export function menu(anchor, entries, { label }) {
  const role = entries.some((entry) => entry.checked !== undefined) ? "menuitemradio" : "menuitem";
  const items = entries.map((entry) => h("button", {
    type: "button", role, class: entry.danger ? "item danger" : "item", "data-name": entry.name,
    "aria-checked": entry.checked === undefined ? null : String(entry.checked),
    onclick: () => {
      closePopover();
      entry.choose();
    },
  }, entry.lead, h("span", { class: "words" }, entry.words, entry.detail && h("small", {}, entry.detail)), entry.checked && icon("check")));
  const node = popover(anchor, h("div", { class: "items" }, ...items), { label, kind: "menu", role: "menu" });
  node?.addEventListener("keydown", (event) => walk(items, event));
}

export function walk(items, event) {
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to === items.length ? 0 : to)?.focus();
}

// Ask before something that cannot be taken back.
export function sure(title, words, yes) {
  return new Promise((resolve) => {
    const confirm = h("button", { class: "button danger", value: "yes" }, yes);
    const form = h("form", { method: "dialog" }, h("h2", {}, title), h("p", {}, words),
      h("div", { class: "row" }, h("button", { class: "button", value: "no" }, "Cancel"), confirm));
    const dialog = h("dialog", { class: "ask", "aria-label": title }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    confirm.focus();
  });
}

// A sentence that goes away by itself.
export function toast(words) {
  const node = h("p", { class: "toast" }, words);
  document.getElementById("toasts").append(node);
  setTimeout(() => node.remove(), 7000);
}

// A picture as large as the window allows. Escape or a click closes it.
export function openPicture(url, alt) {
  const dialog = h("dialog", { class: "picture", "aria-label": alt || "Picture" });
  const close = h("button", { type: "button", class: "icon-button", "aria-label": "Close the picture", onclick: () => dialog.close() }, icon("close"));
  const full = h("a", { class: "icon-button", href: url, target: "_blank", rel: "noopener noreferrer", "aria-label": "Open the picture in a tab" }, icon("download"));
  const image = h("img", { src: url, alt: alt ?? "" });
  dialog.append(h("header", {}, h("span", { class: "title" }, alt ?? ""), full, close), image);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}

// Whether something lies over the page that has an Escape of its own.
export function isCovered() {
  return open !== null || document.querySelector("dialog[open]") !== null;
}
