// The box at the foot of a conversation or a thread.

import { act, upload } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { toast } from "./over.js";
import { pickEmoji } from "./reactions.js";
import { store } from "./store.js";
import { Suggestions } from "./suggest.js";
import { sizeWords } from "./times.js";

// What was typed and not sent, by person and place.
const drafts = new Map();
let made = 0;

export class Composer {
  // `id` is that of the text box; `sent()` is called before something goes out; `onUp` for Arrow Up in an empty box.
  constructor({ id, sent = () => {}, onUp = () => {} }) {
    Object.assign(this, { sent, onUp, place: null, files: [] });
    made += 1;
    this.text = h("textarea", { id, rows: 1, class: "composer-text", autocomplete: "off", "aria-label": "Message" });
    this.suggestions = new Suggestions(this.text, `suggestions-${made}`);
    this.chips = h("div", { class: "chips", hidden: true });
    this.picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to share" });
    this.sender = h("button", { type: "button", class: "send", "aria-label": "Send", title: "Send", onclick: () => this.send() }, icon("send"));
    const emoji = this.tool("smile", "Emoji", () => pickEmoji(emoji, (name) => this.insert(`:${name}: `)));
    this.box = h("div", { class: "composer-box" }, this.chips, this.text, h("div", { class: "composer-foot" },
      this.tool("clip", "Attach files", () => this.picker.click()), emoji,
      this.tool("at", "Mention somebody", () => this.insert("@")), this.picker,
      h("span", { class: "keys" }, h("b", {}, "Shift + Enter"), " for a new line"), this.sender));
    this.node = h("div", { class: "composer" }, this.suggestions.list, this.suggestions.hint, this.box);
    this.listen();
  }

  tool(picture, words, onclick) {
    return h("button", { type: "button", class: "icon-button", title: words, "aria-label": words, onclick }, icon(picture));
  }

  listen() {
    this.text.addEventListener("input", () => this.changed());
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.text.addEventListener("paste", (event) => {
      if (!event.clipboardData?.files.length) return;
      event.preventDefault();
      this.attach(event.clipboardData.files);
    });
    this.picker.addEventListener("change", () => {
      this.attach(this.picker.files);
      this.picker.value = "";
    });
  }

  // Turn to a conversation {channel, thread, label}; what was typed there before comes back.
  at(place) {
    const key = `${store.me.id} ${place.channel} ${place.thread ?? ""}`;
    this.text.placeholder = place.label;
    this.text.setAttribute("aria-label", place.label);
    if (this.place?.key === key) return;
    this.place = { ...place, key };
    const draft = drafts.get(key) ?? { text: "", files: [] };
    this.text.value = draft.text;
    this.files = draft.files;
    this.changed();
    this.suggestions.close();
    this.suggestions.tellUsage();
  }

  changed() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, 260)}px`;
    if (this.place) drafts.set(this.place.key, { text: this.text.value, files: this.files });
    this.chips.hidden = this.files.length === 0;
    this.chips.replaceChildren(...this.files.map((file) => this.chip(file)));
    this.sender.classList.toggle("ready", Boolean(this.text.value.trim() || this.files.length));
  }

  chip(file) {
    const drop = () => {
      this.files = this.files.filter((other) => other !== file);
      this.changed();
      this.text.focus();
    };
    return h("span", { class: "chip" }, icon("file"), h("span", {}, h("b", {}, file.name || "pasted.png"), h("small", {}, sizeWords(file.size))),
      h("button", { type: "button", class: "icon-button", "aria-label": `Leave out ${file.name}`, onclick: drop }, icon("close")));
  }

  attach(files) {
    this.files = [...this.files, ...files];
    this.changed();
    this.text.focus();
  }

  insert(words) {
    this.text.focus();
    this.text.setRangeText(words, this.text.selectionStart, this.text.selectionEnd, "end");
    this.text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Replace what is in the box, to be looked at and sent.
  put(words) {
    this.text.value = words;
    this.text.focus();
    this.text.setSelectionRange(words.length, words.length);
    this.text.dispatchEvent(new Event("input", { bubbles: true }));
    this.suggestions.close();
  }

  key(event) {
    if (this.suggestions.key(event)) return;
    if (event.key === "ArrowUp" && this.text.value === "") {
      event.preventDefault();
      this.onUp();
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.send();
  }

  async send() {
    const { place, files } = this;
    const text = this.text.value.trim();
    if (!text && !files.length) return;
    this.text.value = "";
    this.files = [];
    this.changed();
    this.suggestions.look();
    this.sent();
    try {
      await deliver(place, text, files);
    } catch (error) {
      toast(error.message);
      this.giveBack(place, text, files);
    }
  }

  // What could not be sent is not lost.
  giveBack(place, text, files) {
    const draft = drafts.get(place.key);
    if (draft?.text || draft?.files.length) return;
    drafts.set(place.key, { text, files });
    if (this.place.key !== place.key) return;
    this.text.value = text;
    this.files = files;
    this.changed();
  }
}

// A failing command is told by Slackbot in the conversation, so there is nothing to show here.
function deliver(place, text, files) {
  const where = { user: store.me.id, channel: place.channel, thread_ts: place.thread };
  if (files.length) return upload({ ...where, text }, files);
  return act(text.startsWith("/") ? "command" : "message", { ...where, text });
}

// Let files be dropped on a part of the page.
export function acceptDrops(node, composer) {
  const veil = h("div", { class: "drop", hidden: true }, "Drop files to share them");
  let depth = 0;
  const has = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const show = (step) => {
    depth = Math.max(0, depth + step);
    veil.hidden = depth === 0;
  };
  node.append(veil);
  node.addEventListener("dragenter", (event) => has(event) && show(1));
  node.addEventListener("dragleave", (event) => has(event) && show(-1));
  node.addEventListener("dragover", (event) => has(event) && event.preventDefault());
  node.addEventListener("drop", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    show(-depth);
    composer.attach(event.dataTransfer.files);
  });
}
