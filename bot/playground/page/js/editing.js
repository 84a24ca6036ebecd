// Changing a message of one's own, in its place.

import { act } from "./api.js";
import { h } from "./dom.js";
import { toast } from "./over.js";
import { store } from "./store.js";

// The time stamp of the message that is being edited.
export const editing = { ts: null, changed: () => {} };

export function startEditing(message) {
  editing.ts = message.ts;
  editing.changed();
}

export function stopEditing() {
  editing.ts = null;
  editing.changed();
}

// What somebody would have to type to say this text.
export function asTyped(text) {
  return text
    .replace(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, (_whole, id) => `@${store.people.get(id)?.name ?? id}`)
    .replace(/<#([A-Z0-9]+)(?:\|([^>]*))?>/g, (_whole, id, name) => `#${store.channels.get(id)?.name ?? name ?? id}`)
    .replace(/<(?:mailto:)?([^>|]+)\|([^>]*)>/g, (_whole, _url, label) => label)
    .replace(/<([^>|]+)>/g, (_whole, url) => url)
    .replace(/&(amp|lt|gt);/g, (_whole, name) => ({ amp: "&", lt: "<", gt: ">" })[name]);
}

export function editor(message) {
  const text = h("textarea", { class: "edit-text", rows: 3, "aria-label": "Edit message" });
  text.value = asTyped(message.text);
  const save = async () => {
    if (!text.value.trim()) return;
    try {
      await act("edit", { user: store.me.id, channel: message.channel, ts: message.ts, text: text.value.trim() });
      stopEditing();
    } catch (error) {
      toast(error.message);
    }
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Escape") stopEditing();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    save();
  });
  requestAnimationFrame(() => {
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  });
  return h("div", { class: "edit" }, text, h("div", { class: "row" },
    h("button", { type: "button", class: "button small", onclick: stopEditing }, "Cancel"),
    h("button", { type: "button", class: "button small primary", onclick: save }, "Save")));
}
