// The pane beside the conversation: a thread, or what one may try.

import { act, get } from "./api.js";
import { acceptDrops, Composer } from "./composer.js";
import { h } from "./dom.js";
import { startEditing } from "./editing.js";
import { icon } from "./icons.js";
import { MessageList } from "./list.js";
import { released } from "./press.js";
import { go, route } from "./route.js";
import { store, titleOf } from "./store.js";
import { welcomeWords } from "./welcome.js";

export class Pane {
  constructor(node, { announce, put }) {
    Object.assign(this, { node, announce, put, key: null, told: null, opener: null });
    this.list = new MessageList({ label: "Thread", inThread: true });
    this.list.onScroll = () => this.markRead();
    this.composer = new Composer({ id: "thread-text", onUp: () => this.editLast() });
    this.title = h("h2", {}, "Thread");
    this.facts = h("span", { class: "facts" }, "");
    this.words = h("div", { class: "scroller welcome-pane", hidden: true });
    this.gone = h("p", { class: "foot-note", hidden: true }, "This message is gone.");
    node.append(
      h("div", { class: "head" }, h("button", { type: "button", class: "icon-button back", "aria-label": "Back", onclick: () => this.close() }, icon("back")), this.title, this.facts,
        h("div", { class: "end" }, h("button", { type: "button", class: "icon-button", "aria-label": "Close the thread", onclick: () => this.close() }, icon("close")))),
      this.words, this.list.node, this.gone, this.composer.node);
    acceptDrops(node, this.composer);
  }

  close() {
    go({ thread: null });
    document.querySelector("#main .message[tabindex='0'], #composer-text")?.focus({ preventScroll: true });
  }

  open(channel) {
    this.node.hidden = !route.thread;
    const isWelcome = route.thread === "welcome";
    this.words.hidden = !isWelcome;
    this.list.node.hidden = isWelcome;
    if (!route.thread) {
      this.key = null;
      return;
    }
    this.channel = channel;
    const key = `${store.me.id} ${channel.id} ${route.thread}`;
    const isNew = key !== this.key;
    this.key = key;
    this.title.textContent = isWelcome ? "Getting started" : "Thread";
    this.facts.textContent = isWelcome ? "" : `${channel.kind === "im" ? "" : "#"}${titleOf(channel)}`;
    this.node.setAttribute("aria-label", this.title.textContent);
    this.composer.node.hidden = isWelcome || !channel.member || channel.archived;
    if (isWelcome) {
      this.words.replaceChildren(welcomeWords((words) => {
        if (matchMedia("(max-width: 860px)").matches) go({ thread: null });
        this.put(words);
      }));
      this.gone.hidden = true;
      return;
    }
    if (isNew) {
      this.told = null;
      this.gone.hidden = true;
      this.list.clear("Thread");
    }
    this.composer.at({ channel: channel.id, thread: route.thread, label: "Reply…" });
    if (isNew && !matchMedia("(hover: none)").matches) this.composer.text.focus();
  }

  async refresh() {
    if (!route.thread || route.thread === "welcome") return;
    const { key } = this;
    const told = await get("page/messages", { user: store.me.id, channel: this.channel.id, thread_ts: route.thread, limit: 500 });
    await released();
    if (key !== this.key) return;
    this.told = told;
    const isGone = told.messages[0]?.ts !== route.thread;
    this.gone.hidden = !isGone;
    this.composer.node.hidden = isGone || !this.channel.member || this.channel.archived;
    this.announce(this.list.show({ messages: told.messages, earlier: 0 }).filter((m) => m.user !== store.me.id));
    this.markRead();
  }

  redraw() {
    if (this.told) this.list.show({ messages: this.told.messages, earlier: 0 });
  }

  markRead() {
    const last = this.told?.messages.findLast((m) => !m.ephemeral);
    if (!last || document.hidden || !this.list.atEnd || Number(last.ts) <= Number(this.told.read ?? 0)) return;
    this.told.read = last.ts;
    act("read", { user: store.me.id, channel: this.channel.id, thread_ts: route.thread, ts: last.ts }).catch(() => {});
  }

  editLast() {
    const mine = this.told?.messages.findLast((m) => m.user === store.me.id && !m.ephemeral);
    if (mine) startEditing(mine);
  }
}
