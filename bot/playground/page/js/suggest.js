// What a box for typing offers while one types: commands, people, channels, emoji.

import { avatar } from "./avatars.js";
import { emojiFor, emojiNames } from "./blocks/emoji.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";

const MOST = 8;

export class Suggestions {
  constructor(text, id) {
    Object.assign(this, { text, found: [], at: 0 });
    this.list = h("div", { class: "suggestions", role: "listbox", id, "aria-label": "Suggestions", hidden: true });
    this.hint = h("p", { class: "hint", "aria-live": "polite", hidden: true });
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" })) {
      text.setAttribute(name, value);
    }
    text.addEventListener("input", () => this.look());
    text.addEventListener("blur", () => this.close());
  }

  look() {
    const typed = this.text.value.slice(0, this.text.selectionStart);
    this.word = /(?:^|\s)([@#:]?[^\s]*)$/.exec(typed)?.[1] ?? "";
    // What stands there already needs no offer: Enter sends it.
    this.found = offers(this.word, typed).filter((offer) => offer.insert.trim() !== this.word).slice(0, MOST);
    this.at = 0;
    this.draw();
    this.tellUsage();
  }

  // The usage hint of the command that is being typed.
  tellUsage() {
    const name = /^\/\S+/.exec(this.text.value)?.[0];
    const command = store.commands.find((one) => one.command === name);
    this.hint.hidden = !command?.usage_hint || !this.list.hidden;
    this.hint.replaceChildren(...(command ? [h("b", {}, `${command.command} `), command.usage_hint] : []));
  }

  draw() {
    this.list.hidden = this.found.length === 0;
    this.text.setAttribute("aria-expanded", String(!this.list.hidden));
    this.list.replaceChildren(...this.found.map((offer, i) => h("div", {
      class: "offer", role: "option", id: `${this.list.id}-${i}`, "aria-selected": String(i === this.at), "data-offer": offer.insert.trim(),
      onmousedown: (event) => {
        event.preventDefault();
        this.take(offer);
      },
    }, offer.lead, h("b", {}, offer.words), offer.detail && h("span", {}, offer.detail))));
    if (this.list.hidden) this.text.removeAttribute("aria-activedescendant");
    else this.text.setAttribute("aria-activedescendant", `${this.list.id}-${this.at}`);
  }

  close() {
    this.found = [];
    this.draw();
  }

  // Whether a key was for the suggestions.
  key(event) {
    if (this.list.hidden) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.at = (this.at + (event.key === "ArrowDown" ? 1 : -1) + this.found.length) % this.found.length;
      this.draw();
    } else if (event.key === "Enter" || event.key === "Tab") {
      this.take(this.found[this.at]);
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  take(offer) {
    const end = this.text.selectionStart;
    this.text.setRangeText(offer.insert, end - this.word.length, end, "end");
    this.close();
    this.text.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function offers(word, typed) {
  const rest = word.slice(1).toLowerCase();
  if (typed.startsWith("/") && typed === word) return commands(word);
  if (word.startsWith("@")) return people(rest);
  if (word.startsWith("#")) return channels(rest);
  if (/^:[a-z0-9_+-]{2,}$/.test(word)) return emoji(rest);
  return [];
}

function commands(word) {
  const found = store.commands.filter((one) => one.command.startsWith(word));
  return found.map((one) => ({ words: one.command, detail: [one.usage_hint, one.description].filter(Boolean).join(" — "), insert: `${one.command} `, lead: avatar(store.bot, "s26") }));
}

function people(rest) {
  const known = [...store.people.values()].filter((p) => !p.deleted && p.id !== "USLACKBOT");
  const fits = (p) => p.name.startsWith(rest) || p.real_name.toLowerCase().split(" ").some((part) => part.startsWith(rest));
  return known.filter(fits).map((p) => ({ words: `@${p.name}`, detail: p.real_name, insert: `@${p.name} `, lead: avatar(p, "s26") }));
}

function channels(rest) {
  const known = [...store.channels.values()].filter((c) => c.kind !== "im" && c.name.startsWith(rest));
  return known.map((c) => ({ words: `#${c.name}`, insert: `#${c.name} `, lead: icon(c.kind === "group" ? "lock" : "hash") }));
}

function emoji(rest) {
  return emojiNames().filter((name) => name.includes(rest)).map((name) => ({ words: `:${name}:`, insert: `:${name}: `, lead: h("span", { class: "emoji" }, emojiFor(name)) }));
}
