// Reactions under a message, and the picker.

import { act } from "./api.js";
import { h } from "./dom.js";
import { emojiFor, emojiNames } from "./blocks/emoji.js";
import { icon } from "./icons.js";
import { closePopover, popover, toast } from "./over.js";
import { named, store } from "./store.js";

const OFTEN = ["white_check_mark", "floppy_disk", "x", "eyes", "+1", "-1", "tada", "heart", "joy", "raised_hands", "rocket", "thinking_face"];

export async function toggle(message, name) {
  const mine = message.reactions.find((r) => r.name === name)?.users.includes(store.me.id);
  try {
    await act("react", { user: store.me.id, channel: message.channel, ts: message.ts, name, add: !mine });
  } catch (error) {
    toast(error.message);
  }
}

export function reactionsOf(message) {
  if (!message.reactions.length) return [];
  const pills = message.reactions.map((reaction) => pill(message, reaction));
  const more = h("button", { type: "button", class: "pill add", "aria-label": "Add a reaction", "aria-haspopup": "dialog" }, icon("smile"), "+");
  more.addEventListener("click", () => pickEmoji(more, (name) => toggle(message, name)));
  return [h("div", { class: "reactions", role: "group", "aria-label": "Reactions" }, ...pills, more)];
}

function pill(message, { name, users, count }) {
  const who = users.map((id) => (id === store.me.id ? "you" : named(id)));
  const last = who.pop();
  const words = `${who.length ? `${who.join(", ")} and ` : ""}${last} reacted with :${name}:`;
  const mine = users.includes(store.me.id);
  return h("button", {
    type: "button", class: "pill", "data-reaction": name, "aria-pressed": String(mine), title: words, "aria-label": `${count}, ${words}`,
    onclick: () => toggle(message, name),
  }, h("span", { class: "emoji" }, emojiFor(name) ?? `:${name}:`), h("span", { class: "count" }, String(count)));
}

// A grid of emoji with a search by name; `chosen` is given a name.
export function pickEmoji(anchor, chosen) {
  const search = h("input", { type: "search", placeholder: "Search by name", "aria-label": "Search emoji"});
  const grid = h("div", { class: "emoji-grid", role: "listbox", "aria-label": "Emoji" });
  const name = h("p", { class: "emoji-name", "aria-live": "polite" }, "");
  const draw = () => {
    const wanted = search.value.trim().toLowerCase().replaceAll(":", "").replaceAll(" ", "_");
    const known = [...new Set([...OFTEN.filter((n) => emojiFor(n)), ...emojiNames()])];
    const found = known.filter((n) => n.includes(wanted));
    grid.replaceChildren(...found.map((n) => entry(n)));
    if (!found.length) grid.append(h("p", { class: "none" }, "No emoji has such a name."));
  };
  const entry = (one) => h("button", {
    type: "button", role: "option", "data-emoji": one, title: `:${one}:`, "aria-label": one.replaceAll("_", " "),
    onclick: () => {
      closePopover();
      chosen(one);
    },
    onfocus: () => name.replaceChildren(`:${one}:`),
    onmouseenter: () => name.replaceChildren(`:${one}:`),
  }, emojiFor(one) ?? one);
  search.addEventListener("input", draw);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") grid.querySelector("button")?.click();
    if (event.key === "ArrowDown") grid.querySelector("button")?.focus();
    if (["Enter", "ArrowDown"].includes(event.key)) event.preventDefault();
  });
  grid.addEventListener("keydown", (event) => steer(grid, search, event));
  draw();
  popover(anchor, h("div", {}, search, grid, name), { label: "Emoji", kind: "picker" });
}

function steer(grid, search, event) {
  const entries = [...grid.querySelectorAll("button")];
  const at = entries.indexOf(document.activeElement);
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  if (at + step < 0) search.focus();
  else entries[at + step]?.focus();
}
