// A list of messages that follows what changes without losing focus, scroll position or what is open in it.

import { dayKey, dayWords } from "./times.js";
import { h } from "./dom.js";
import { editing } from "./editing.js";
import { messageNode } from "./message.js";
import { store } from "./store.js";

const GROUP_S = 300;
const NEAR_END = 90;

export class MessageList {
  // `onEarlier` loads more; `head` gives rows above the messages: [{key, sig, build}].
  constructor({ label, inThread = false, onEarlier = () => {}, head = () => [] }) {
    Object.assign(this, { inThread, onEarlier, head, nodes: new Map(), messages: [], divider: null, newest: null, stuckAt: 0 });
    this.inner = h("div", { class: "rows", role: "feed", "aria-label": label });
    this.jump = h("button", { type: "button", class: "to-end", hidden: true, onclick: () => this.toEnd() }, "New messages ↓");
    this.scroller = h("div", { class: "scroller", tabindex: "-1" }, this.inner);
    this.node = h("div", { class: "list" }, this.scroller, this.jump);
    this.atEnd = true;
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.inner.addEventListener("keydown", (event) => this.walk(event));
    this.inner.addEventListener("focusin", (event) => this.focused(event));
    this.inner.addEventListener("click", (event) => this.tapped(event));
    // Pictures that arrive late make the list grow: its end stays in view.
    const grown = new ResizeObserver(() => this.staysAtEnd() && this.stick());
    grown.observe(this.inner);
    grown.observe(this.scroller);
  }

  // Another conversation: what was shown is forgotten.
  clear(label) {
    this.inner.replaceChildren();
    this.inner.setAttribute("aria-label", label);
    this.nodes.clear();
    Object.assign(this, { messages: [], divider: null, newest: null, atEnd: true, stuckAt: 0 });
    this.jump.hidden = true;
  }

  show({ messages, earlier }) {
    const arrived = this.newest === null ? [] : messages.filter((m) => Number(m.ts) > Number(this.newest));
    this.messages = messages;
    const anchor = this.staysAtEnd() ? null : this.anchor();
    this.reconcile(this.rows(messages, earlier), new Set(arrived.map((m) => m.ts)));
    this.newest = messages.at(-1)?.ts ?? this.newest ?? "0";
    this.rove();
    if (anchor?.node.isConnected) this.scroller.scrollTop += anchor.node.offsetTop - anchor.top;
    if (this.atEnd || arrived.some((m) => m.user === store.me.id)) this.toEnd();
    else if (arrived.length) this.jump.hidden = false;
    return arrived;
  }

  // The first message in view: it stays where it is, whatever happens above it.
  anchor() {
    const node = this.articles().find((one) => one.offsetTop + one.offsetHeight > this.scroller.scrollTop);
    return node && { node, top: node.offsetTop };
  }

  rows(messages, earlier) {
    const rows = [];
    if (earlier > 0) {
      const words = `Show ${Math.min(earlier, 200)} earlier messages`;
      rows.push({ key: "earlier", sig: words, build: () => h("button", { type: "button", class: "earlier", onclick: () => this.onEarlier() }, words) });
    } else {
      rows.push(...this.head());
    }
    let before = null;
    for (const [i, message] of messages.entries()) {
      if (!this.inThread && (!before || dayKey(before.ts) !== dayKey(message.ts))) rows.push(dayRow(message.ts));
      if (this.divider && !rows.some((row) => row.key === "new") && isNews(message, this.divider)) {
        rows.push({ key: "new", sig: "", build: () => h("div", { class: "new-line", role: "separator" }, h("span", {}, "New")) });
        before = null;
      }
      const how = { compact: joins(before, message) && !(this.inThread && i === 1), inThread: this.inThread, editing: editing.ts === message.ts };
      rows.push({ key: message.ts, sig: signature(message, how), build: () => messageNode(message, how) });
      if (this.inThread && i === 0 && messages.length > 1) rows.push(countRow(messages));
      before = message;
    }
    return rows;
  }

  reconcile(rows, arrived) {
    const kept = new Map();
    let place = this.inner.firstElementChild;
    for (const row of rows) {
      let entry = this.nodes.get(row.key);
      if (!entry || entry.sig !== row.sig) {
        const node = row.build();
        if (arrived.has(row.key)) node.classList.add("arrived");
        if (entry) {
          if (place === entry.node) place = node;
          replace(entry.node, node);
        }
        entry = { node, sig: row.sig };
      }
      kept.set(row.key, entry);
      if (entry.node === place) place = place.nextElementSibling;
      else this.inner.insertBefore(entry.node, place);
    }
    for (const [key, entry] of this.nodes) if (!kept.has(key)) entry.node.remove();
    this.nodes = kept;
  }

  // Show everything anew: a name or the person has changed.
  redraw(told) {
    for (const entry of this.nodes.values()) entry.sig = null;
    return this.show(told);
  }

  articles() {
    return [...this.inner.querySelectorAll(".message")];
  }

  rove() {
    const articles = this.articles();
    if (!articles.some((node) => node.tabIndex === 0) && articles.length) articles.at(-1).tabIndex = 0;
  }

  focused(event) {
    const article = event.target.closest(".message");
    if (!article) return;
    for (const other of this.articles()) other.tabIndex = other === article ? 0 : -1;
  }

  walk(event) {
    if (!event.target.matches(".message")) return;
    const articles = this.articles();
    const at = articles.indexOf(event.target);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: articles.length - 1 }[event.key];
    if (to === undefined || !articles[to]) return;
    event.preventDefault();
    articles[to].focus();
    articles[to].scrollIntoView({ block: "nearest" });
  }

  // Where nothing can hover, a tap shows what can be done with a message.
  tapped(event) {
    const article = event.target.closest(".message");
    if (!article || event.target.closest("button, a, input, select, textarea, label")) return;
    for (const other of this.inner.querySelectorAll(".tapped")) if (other !== article) other.classList.remove("tapped");
    article.classList.toggle("tapped");
  }

  fromEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  // Whether the end is to stay in view. Somebody may have scrolled up just now, which is told a moment later.
  staysAtEnd() {
    if (this.atEnd && this.scroller.scrollTop < this.stuckAt - 2 && this.fromEnd() >= NEAR_END) this.atEnd = false;
    return this.atEnd;
  }

  scrolled() {
    // What grew since the list was last put to its end is not somebody scrolling up.
    const stuck = this.atEnd && this.scroller.scrollTop >= this.stuckAt - 2;
    this.atEnd = stuck || this.fromEnd() < NEAR_END;
    if (this.atEnd) this.jump.hidden = true;
    this.onScroll?.();
  }

  toEnd() {
    this.atEnd = true;
    this.jump.hidden = true;
    this.stick();
  }

  stick() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.stuckAt = this.scroller.scrollTop;
  }

  // Bring a message into view and mark it for a moment; whether it is there.
  point(ts) {
    const node = this.nodes.get(ts)?.node;
    if (!node) return false;
    this.atEnd = false;
    node.scrollIntoView({ block: "center" });
    node.classList.add("pointed");
    setTimeout(() => node.classList.remove("pointed"), 2500);
    node.focus({ preventScroll: true });
    return true;
  }
}

export function isNews(message, read) {
  return Number(message.ts) > Number(read) && message.user !== store.me.id && !message.ephemeral;
}

function dayRow(ts) {
  const words = dayWords(ts);
  return { key: `day ${dayKey(ts)}`, sig: words, build: () => h("div", { class: "day", role: "separator", "aria-label": words }, h("span", {}, words)) };
}

function countRow(messages) {
  const count = messages[0].reply_count;
  const words = `${count} ${count === 1 ? "reply" : "replies"}`;
  return { key: "count", sig: words, build: () => h("div", { class: "count-line", role: "separator" }, h("span", {}, words)) };
}

function joins(before, message) {
  return Boolean(before) && before.user === message.user && !before.ephemeral && !message.ephemeral
    && Number(message.ts) - Number(before.ts) < GROUP_S && before.reply_count === 0;
}

function signature(message, how) {
  return JSON.stringify([message, how, store.me.id]);
}

// Put a node in the place of another, and the focus where it was.
function replace(old, node) {
  const active = document.activeElement;
  const had = old.contains(active);
  const again = had && sameIn(old, node, active);
  if (old.classList.contains("tapped")) node.classList.add("tapped");
  node.tabIndex = old.tabIndex;
  old.replaceWith(node);
  if (again && again.isConnected) again.focus({ preventScroll: true });
}

function sameIn(old, node, active) {
  if (active === old) return node;
  const all = (root) => [...root.querySelectorAll("button, a, input, select, textarea")];
  const { actionId, reaction } = active.dataset;
  if (actionId) return all(node).find((one) => one.dataset.actionId === actionId) ?? node;
  if (reaction) return all(node).find((one) => one.dataset.reaction === reaction) ?? node;
  const words = active.getAttribute("aria-label");
  return (words && all(node).find((one) => one.getAttribute("aria-label") === words)) ?? node;
}
