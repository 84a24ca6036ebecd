// The middle of the page: one channel, or the app's home and messages.

import { act, get } from "./api.js";
import { avatar } from "./avatars.js";
import { renderHome } from "./blocks/index.js";
import { acceptDrops, Composer } from "./composer.js";
import { contextFor } from "./context.js";
import { h } from "./dom.js";
import { startEditing } from "./editing.js";
import { icon } from "./icons.js";
import { isNews, MessageList } from "./list.js";
import { menu, toast } from "./over.js";
import { profile } from "./people.js";
import { released } from "./press.js";
import { go, route } from "./route.js";
import { firstChannel, named, person, store, titleOf } from "./store.js";
import { welcomeMessage } from "./welcome.js";

const PAGE = 200;

export class Conversation {
  constructor(node, announce) {
    Object.assign(this, { node, announce, channel: null, limit: PAGE, told: null, homeShown: null, wasNews: false });
    this.header = h("div", {});
    this.home = h("div", { class: "home", id: "home", role: "tabpanel", "aria-labelledby": "tab-home", tabindex: "0", hidden: true });
    this.list = new MessageList({
      label: "Messages", head: () => this.intro(),
      onEarlier: () => {
        this.limit += PAGE;
        this.refresh();
      },
    });
    this.list.onScroll = () => this.markRead();
    this.foot = h("div", { class: "foot" });
    this.composer = new Composer({ id: "composer-text", sent: () => this.sent(), onUp: () => this.editLast() });
    this.foot.append(this.composer.node);
    node.append(this.header, this.home, this.list.node, this.foot);
    acceptDrops(node, this.composer);
  }

  get isHome() {
    return this.channel?.kind === "im" && store.tabs.home && (route.tab === "home" || !store.tabs.messages);
  }

  // Turn to what the address says. Gives the channel, which may be another one than was asked for.
  open() {
    const channel = store.channels.get(route.channel) ?? firstChannel();
    const key = `${store.me.id} ${channel.id}`;
    const isNew = key !== this.key;
    this.channel = channel;
    if (isNew) {
      Object.assign(this, { key, limit: PAGE, told: null });
      this.list.clear(`Messages in ${titleOf(channel)}`);
    }
    this.drawHeader();
    this.showTab();
    return channel;
  }

  showTab() {
    const home = this.isHome;
    this.home.hidden = !home;
    this.list.node.hidden = this.foot.hidden = home;
    this.drawFoot();
    if (this.channel.kind !== "im") {
      this.tabTold = null;
      return;
    }
    const tab = `${this.key} ${home ? "home" : "messages"}`;
    if (tab !== this.tabTold) act("home", { user: store.me.id, tab: home ? "home" : "messages" }).catch(() => {});
    this.tabTold = tab;
    if (home) this.drawHome();
  }

  drawHome() {
    const seen = `${store.me.id} ${store.home?.hash ?? ""}`;
    if (seen === this.homeShown && this.home.firstChild) return;
    this.homeShown = seen;
    const view = store.home;
    this.home.replaceChildren(view
      ? h("div", { class: "inner" }, renderHome(view, contextFor({ view_id: view.id })))
      : h("div", { class: "empty" }, avatar(store.bot), h("h2", {}, store.bot.real_name), h("p", {}, "The app has published nothing here for you yet.")));
  }

  drawHeader() {
    const { channel } = this;
    const isApp = channel.kind === "im";
    const mark = isApp ? avatar(store.bot, "s26") : icon(channel.kind === "group" ? "lock" : "hash");
    const head = h("div", { class: isApp ? "head tabbed" : "head" },
      h("h1", {}, mark, h("span", { class: "title" }, titleOf(channel)), isApp && h("span", { class: "tag" }, "APP")),
      isApp && h("span", { class: "facts" }, store.online ? "Connected" : "Not connected"),
      h("div", { class: "end" }, !isApp && this.members()));
    this.header.replaceChildren(head, isApp ? this.tabs() : "");
  }

  members() {
    const ids = this.channel.members;
    const button = h("button", { type: "button", class: "members", "aria-haspopup": "menu", "aria-label": `${ids.length} members` },
      h("span", { class: "stack" }, ...ids.slice(0, 3).map((id) => avatar(person(id), "s20"))), String(ids.length));
    button.onclick = () => menu(button, ids.map((id) => ({
      words: named(id), detail: `@${person(id).name}`, lead: avatar(person(id), "s26"), choose: () => profile(id),
    })), { label: "Members" });
    return button;
  }

  tabs() {
    const home = this.isHome;
    const tab = (name, words, on) => h("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(on), tabindex: on ? "0" : "-1", "aria-controls": name === "home" ? "home" : null,
      onclick: () => go({ tab: name, thread: null }),
    }, words);
    const both = [store.tabs.home && tab("home", "Home", home), store.tabs.messages && tab("messages", "Messages", !home)].filter(Boolean);
    const bar = h("div", { class: "tabs", role: "tablist", "aria-label": `${store.bot.real_name}'s tabs` }, ...both);
    bar.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key) || both.length < 2) return;
      go({ tab: home ? "messages" : "home" });
      document.querySelector(".tabs [aria-selected=true]")?.focus();
    });
    return bar;
  }

  drawFoot() {
    const { channel } = this;
    const isApp = channel.kind === "im";
    const closed = channel.archived || !channel.member || (isApp && !store.tabs.messages);
    this.composer.node.hidden = closed;
    this.foot.querySelector(".foot-note")?.remove();
    if (closed) return this.foot.append(this.notice(isApp));
    this.composer.at({ channel: channel.id, thread: null, label: isApp ? `Message ${titleOf(channel)}` : `Message #${channel.name}` });
    return null;
  }

  notice(isApp) {
    const { channel } = this;
    if (isApp) return h("p", { class: "foot-note" }, "Sending messages to this app has been turned off.");
    if (channel.archived) return h("p", { class: "foot-note" }, h("b", {}, `#${channel.name}`), " is archived.");
    const join = () => act("join", { user: store.me.id, channel: channel.id }).catch((error) => toast(error.message));
    return h("div", { class: "foot-note" }, h("span", {}, "You are looking at ", h("b", {}, `#${channel.name}`)),
      h("button", { type: "button", class: "button primary small", onclick: join }, "Join channel"));
  }

  intro() {
    const { channel } = this;
    const isFirst = channel.id === [...store.channels.values()][0].id;
    const rows = [{
      key: "intro", sig: `${channel.id} ${store.me.id}`,
      build: () => h("div", { class: "intro" }, h("h2", {}, channel.kind === "im" ? titleOf(channel) : `#${channel.name}`),
        h("p", {}, channel.kind === "im" ? "This is the beginning of your conversation with the app." : "This is the very beginning of the channel.")),
    }];
    if (store.welcome && isFirst) rows.push({ key: "welcome", sig: `${store.welcome} ${store.me.id}`, build: () => welcomeMessage((words) => this.composer.put(words)) });
    return rows;
  }

  async refresh() {
    if (this.isHome) this.drawHome();
    const { key } = this;
    const told = await get("page/messages", { user: store.me.id, channel: this.channel.id, limit: this.limit });
    await released();
    if (key !== this.key) return;
    if (this.told === null || (document.hidden && !this.list.divider)) this.list.divider = firstUnread(told);
    this.told = told;
    this.announce(this.list.show(told).filter((m) => m.user !== store.me.id));
    this.markRead();
  }

  redraw() {
    if (this.told) this.list.show(this.told);
  }

  // What is in view counts as read.
  markRead() {
    if (!this.told || document.hidden || this.isHome || !this.list.atEnd || !this.channel.member) return;
    const last = this.told.messages.findLast((m) => !m.ephemeral);
    if (!last || Number(last.ts) <= Number(this.told.read ?? 0)) return;
    this.told.read = last.ts;
    act("read", { user: store.me.id, channel: this.channel.id, ts: last.ts }).catch(() => {});
  }

  sent() {
    this.list.divider = null;
    this.list.toEnd();
  }

  editLast() {
    const mine = this.told?.messages.findLast((m) => m.user === store.me.id && !m.ephemeral);
    if (mine) startEditing(mine);
  }
}

// The mark after which messages are new, if there are any. To somebody who never was here all of them are.
function firstUnread(told) {
  const read = told.read ?? "0";
  return told.messages.some((m) => isNews(m, read)) ? read : null;
}
