// What one can do with a message: the small bar that appears over it.

import { act } from "./api.js";
import { h } from "./dom.js";
import { emojiFor } from "./blocks/emoji.js";
import { startEditing } from "./editing.js";
import { icon } from "./icons.js";
import { permalink } from "./message.js";
import { sure, toast } from "./over.js";
import { pickEmoji, toggle } from "./reactions.js";
import { go } from "./route.js";
import { store } from "./store.js";

const QUICK = ["white_check_mark", "eyes", "raised_hands"];

export function toolbar(message, how) {
  const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Message actions" });
  if (message.ephemeral) {
    bar.append(tool("close", "Dismiss message", () => remove(message)));
    return bar;
  }
  for (const name of QUICK) bar.append(quick(message, name));
  const more = tool("smile", "Find another reaction", () => pickEmoji(more, (name) => toggle(message, name)));
  bar.append(more);
  const thread = message.thread_ts ?? message.ts;
  if (!how.inThread) bar.append(tool("reply", "Reply in thread", () => go({ channel: message.channel, thread })));
  bar.append(tool("link", "Copy link", () => copyLink(message)));
  const mine = message.user === store.me.id;
  if (mine) bar.append(tool("pencil", "Edit message", () => startEditing(message)));
  if (mine || store.me.is_admin) bar.append(tool("trash", "Delete message", () => askAndRemove(message)));
  return bar;
}

function tool(picture, words, onclick) {
  return h("button", { type: "button", class: "icon-button", title: words, "aria-label": words, onclick }, icon(picture));
}

function quick(message, name) {
  const words = `React with :${name}:`;
  return h("button", { type: "button", class: "icon-button quick", title: words, "aria-label": words, "data-quick": name, onclick: () => toggle(message, name) }, emojiFor(name));
}

async function copyLink(message) {
  await navigator.clipboard?.writeText(new URL(permalink(message), location.href).href);
  toast("The link is copied.");
}

async function askAndRemove(message) {
  if (await sure("Delete message", "It will be gone for everybody.", "Delete")) await remove(message);
}

async function remove(message) {
  try {
    await act("delete", { user: store.me.id, channel: message.channel, ts: message.ts });
  } catch (error) {
    toast(error.message);
  }
}
