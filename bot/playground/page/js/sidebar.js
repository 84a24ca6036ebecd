// Channels, and the conversation with the app.

import { avatar } from "./avatars.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { go, route } from "./route.js";
import { store } from "./store.js";

export function showSidebar(nav, { current, onWelcome }) {
  const channels = [...store.channels.values()].filter((c) => c.kind !== "im" && !c.archived);
  const focused = nav.contains(document.activeElement) ? document.activeElement.dataset.place : null;
  const apps = [...store.channels.values()].filter((c) => c.kind === "im");
  nav.replaceChildren(
    store.welcome && h("ul", {}, h("li", {}, h("button", {
      type: "button", class: "place", "data-place": "welcome", onclick: () => leaveDrawer(onWelcome),
    }, h("span", { class: "mark" }, icon("book")), h("span", { class: "name" }, "Getting started")))) || "",
    h("h2", { id: "channels-title" }, "Channels"),
    h("ul", { "aria-labelledby": "channels-title" }, ...channels.map((c) => entry(c, current))),
    h("h2", { id: "apps-title" }, "Direct messages"),
    h("ul", { "aria-labelledby": "apps-title" }, ...apps.map((c) => entry(c, current))),
  );
  if (focused) nav.querySelector(`[data-place="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function entry(channel, current) {
  const isApp = channel.kind === "im";
  const name = isApp ? store.bot.real_name : channel.name;
  const here = channel.id === current;
  const words = [
    isApp ? `${name}, app, ${store.online ? "connected" : "not connected"}` : `${name}, ${channel.kind === "group" ? "private channel" : "channel"}`,
    channel.unread ? `${channel.unread} unread` : "", channel.member ? "" : "not joined",
  ].filter(Boolean).join(", ");
  return h("li", {}, h("a", {
    class: ["place", channel.unread && "unread", !channel.member && "outside"].filter(Boolean).join(" "),
    href: `#${channel.id}`, "data-place": channel.id, "data-name": name, "data-unread": channel.unread, "aria-label": words,
    "aria-current": here ? "page" : null,
    onclick: (event) => {
      event.preventDefault();
      leaveDrawer(() => go({ channel: channel.id, thread: here ? route.thread : null }));
    },
  },
  h("span", { class: "mark" }, isApp ? avatar(store.bot, "s20") : icon(channel.kind === "group" ? "lock" : "hash")),
  h("span", { class: "name" }, name),
  isApp && h("span", { class: store.online ? "presence on" : "presence", title: store.online ? "Connected" : "Not connected" }),
  channel.mentions > 0 && h("span", { class: "badge" }, String(channel.mentions))));
}

function leaveDrawer(then) {
  setDrawer(false);
  then();
}

// The sidebar on a narrow screen.
export function setDrawer(open) {
  document.body.classList.toggle("drawer-open", open);
  document.getElementById("veil").hidden = !open;
  document.getElementById("open-drawer").setAttribute("aria-expanded", String(open));
  if (open) document.querySelector("#sidebar .place")?.focus();
}
