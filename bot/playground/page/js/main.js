// The page: who is looking, where they are, and what happens.

import { AwayError } from "./api.js";
import { Conversation } from "./conversation.js";
import { editing } from "./editing.js";
import { icon } from "./icons.js";
import { openJump } from "./jump.js";
import { Live } from "./live.js";
import { showModals } from "./modals.js";
import { isCovered, toast } from "./over.js";
import { Pane } from "./pane.js";
import { showWho } from "./people.js";
import { go, permalinked, route, startRoute } from "./route.js";
import { setDrawer, showSidebar } from "./sidebar.js";
import { load, named, store, titleOf } from "./store.js";
import { startTheme } from "./theme.js";

const part = (id) => document.getElementById(id);
const conversation = new Conversation(part("main"), announce);
const pane = new Pane(part("pane"), { announce, put: (words) => conversation.composer.put(words) });
const live = new Live({ up: () => refresh("state", "messages", "thread"), news, down: () => connecting(true) });

let pending = new Set();
let running = null;
let linked = null;

// Read again what has changed. While one reading goes on, others wait and are done together.
function refresh(...parts) {
  parts.forEach((one) => pending.add(one));
  running ??= work().finally(() => {
    running = null;
  });
  return running;
}

async function work() {
  while (pending.size) {
    const now = pending;
    pending = new Set();
    try {
      if (now.has("state")) await readState();
      const both = [now.has("messages") && conversation.refresh(), now.has("thread") && pane.refresh()];
      await Promise.all(both);
      connecting(false);
      point();
    } catch (error) {
      if (error instanceof AwayError) return connecting(true);
      console.error(error);
      toast(error.message);
    }
  }
  return null;
}

async function readState() {
  try {
    await load(route.as);
  } catch (error) {
    if (error instanceof AwayError || !route.as) throw error;
    // Whoever the address names is not here (any more): the first person takes the seat.
    route.as = null;
    await load(null);
    live.follow(store.me.id);
  }
  if (!route.as) go({ as: store.me.name }, { replace: true });
  show();
}

// Draw all that follows from the state and the address.
function show() {
  if (!store.me) return;
  const channel = conversation.open();
  if (route.channel !== channel.id) {
    go({ channel: channel.id }, { replace: true });
    return;
  }
  pane.open(channel);
  showSidebar(part("sidebar"), { current: channel.id, onWelcome: () => go({ channel: [...store.channels.keys()][0], thread: "welcome" }) });
  showWho(part("who"));
  showModals();
  part("team-name").textContent = store.team.domain;
  const unread = [...store.channels.values()].reduce((sum, c) => sum + c.mentions, 0);
  document.title = `${unread ? `(${unread}) ` : ""}${titleOf(channel)} | ${store.team.domain}`;
}

function moved() {
  editing.ts = null;
  if (store.me && route.as && ![store.me.name, store.me.id].includes(route.as)) {
    refresh("state", "messages", "thread").then(() => live.follow(store.me.id));
    return;
  }
  show();
  refresh("messages", "thread");
}

function news(fact) {
  const parts = ["state"];
  if (fact.kind === "reset") parts.push("messages", "thread");
  if (fact.channel === conversation.channel?.id) {
    // What was read changes how many replies are new, and nothing in a thread.
    parts.push("messages");
    if (route.thread && fact.kind !== "read") parts.push("thread");
  }
  refresh(...parts);
}

function connecting(isLost) {
  const line = part("connection");
  if (line.hidden === !isLost) return;
  line.hidden = !isLost;
  line.textContent = isLost ? "Connecting to the playground…" : "";
  document.body.dataset.connected = String(!isLost);
}

// Read new messages aloud where somebody listens.
function announce(messages) {
  for (const message of messages.slice(-3)) {
    const shown = document.querySelector(`.message[data-ts="${message.ts}"] .content`);
    const line = document.createElement("p");
    line.textContent = `${named(message.user)}: ${(shown?.querySelector(".body")?.innerText ?? message.text).slice(0, 240)}`;
    part("announcer").append(line);
    // It has been read by then; left standing it would be read again when somebody walks through the page.
    setTimeout(() => line.remove(), 3000);
  }
}

// A link to a message brings it into view, once.
function point() {
  if (!linked) return;
  if ((route.thread && pane.list.point(linked)) || conversation.list.point(linked)) linked = null;
}

// Links to messages of this workspace lead there without leaving the page.
function follow(event) {
  const link = event.target.closest("a[href]");
  const found = link && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && permalinked(new URL(link.href));
  if (!found) return;
  event.preventDefault();
  linked = found.ts;
  go({ channel: found.channel, thread: found.thread });
}

function shortcut(event) {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openJump();
  } else if (event.key === "Escape" && !isCovered() && !event.defaultPrevented) {
    if (document.body.classList.contains("drawer-open")) setDrawer(false);
    else if (route.thread && !event.target.closest(".edit")) pane.close();
  } else write(event);
}

// Words that are typed beside every field go to the message box, or to the thread's for who is in it.
function write(event) {
  const isWord = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isWord || event.defaultPrevented || isCovered() || event.target.closest("input, textarea, select, [contenteditable]")) return;
  const where = part("pane").contains(event.target) ? pane : conversation;
  where.composer.text.focus({ preventScroll: true });
}

editing.changed = () => {
  conversation.redraw();
  pane.redraw();
};
linked = startRoute(moved);
startTheme(part("theme"));
part("open-drawer").append(icon("menu"));
part("open-drawer").addEventListener("click", () => setDrawer(!document.body.classList.contains("drawer-open")));
part("veil").addEventListener("click", () => setDrawer(false));
part("open-jump").addEventListener("click", openJump);
document.addEventListener("keydown", shortcut);
document.addEventListener("click", follow);
// Whoever walks by keys sees what can be done where they are; a click leaves no such mark.
document.addEventListener("keydown", () => document.body.classList.add("by-keys"), true);
document.addEventListener("pointerdown", () => document.body.classList.remove("by-keys"), true);
document.addEventListener("visibilitychange", () => {
  conversation.markRead();
  pane.markRead();
});
refresh("state").then(() => live.follow(store.me?.id ?? route.as ?? ""));
