// Ctrl or Cmd + K: jump to a conversation by its name.

import { avatar } from "./avatars.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { actAs } from "./people.js";
import { go } from "./route.js";
import { direct, store } from "./store.js";

export function openJump() {
  if (document.querySelector("dialog[open]")) return;
  let at = 0;
  let found = [];
  const search = h("input", { type: "text", placeholder: "Where to?", "aria-label": "Conversation or person", role: "combobox", "aria-expanded": "true", "aria-controls": "jump-list", autocomplete: "off" });
  const list = h("div", { class: "offers", role: "listbox", id: "jump-list", "aria-label": "Conversations" });
  const dialog = h("dialog", { class: "jump-dialog", "aria-label": "Jump to a conversation" }, search, list);
  const take = (one) => {
    dialog.close();
    one?.go();
    // Who jumps somewhere by keys goes on to write there; the dialog gave the focus back to where it was.
    document.getElementById("composer-text")?.focus({ preventScroll: true });
  };
  const draw = () => {
    const wanted = search.value.trim().toLowerCase().replace(/^[#@]/, "");
    found = places().filter((one) => one.words.toLowerCase().includes(wanted) || one.detail?.toLowerCase().includes(wanted));
    at = Math.min(at, Math.max(0, found.length - 1));
    list.replaceChildren(...found.map((one, i) => h("div", {
      class: "offer", role: "option", id: `jump-${i}`, "aria-selected": String(i === at), onclick: () => take(one),
    }, one.lead, h("b", {}, one.words), one.detail && h("span", {}, one.detail))));
    search.setAttribute("aria-activedescendant", found.length ? `jump-${at}` : "");
    if (!found.length) list.append(h("p", { class: "none" }, "Nothing is called that."));
  };
  search.addEventListener("input", () => {
    at = 0;
    draw();
  });
  search.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") take(found[at]);
    else if (step && found.length) at = (at + step + found.length) % found.length;
    else return;
    event.preventDefault();
    draw();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  draw();
  dialog.showModal();
  search.focus();
}

function places() {
  const channels = [...store.channels.values()].filter((c) => c.kind !== "im").map((c) => ({
    words: c.name, detail: c.unread ? `${c.unread} unread` : "", lead: icon(c.kind === "group" ? "lock" : "hash"), go: () => go({ channel: c.id }),
  }));
  const app = { words: store.bot.real_name, detail: "app", lead: avatar(store.bot, "s20"), go: () => go({ channel: direct().id }) };
  const others = [...store.people.values()].filter((p) => !p.is_bot && !p.deleted && p.id !== store.me.id);
  const people = others.map((p) => ({ words: p.real_name, detail: `act as @${p.name}`, lead: avatar(p, "s20"), go: () => actAs(p.name) }));
  return [...channels, app, ...people];
}
