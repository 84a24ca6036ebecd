// One message.

import { fileUrl } from "./api.js";
import { avatar } from "./avatars.js";
import { h } from "./dom.js";
import { renderBlocks, renderText } from "./blocks/index.js";
import { contextFor } from "./context.js";
import { icon } from "./icons.js";
import { openPicture } from "./over.js";
import { profile } from "./people.js";
import { reactionsOf } from "./reactions.js";
import { go } from "./route.js";
import { named, person, store } from "./store.js";
import { clock, exact, shortClock, sizeWords, whenWords } from "./times.js";
import { toolbar } from "./toolbar.js";
import { editor } from "./editing.js";

// `how`: {compact: follows one of the same author, inThread, editing}.
export function messageNode(message, how) {
  const author = person(message.user);
  const node = h("article", {
    class: ["message", how.compact && "compact", message.ephemeral && "ephemeral", how.editing && "editing"].filter(Boolean).join(" "),
    "data-ts": message.ts, "data-channel": message.channel, "data-author": author.name, "data-ephemeral": message.ephemeral || null,
    tabindex: "-1", "aria-label": `${named(message.user)} at ${clock(message.ts)}`,
  });
  const time = h("a", {
    class: "time", href: permalink(message), title: exact(message.ts), tabindex: "-1",
    "aria-label": `Sent ${exact(message.ts)}`, onclick: (event) => event.preventDefault(),
  }, how.compact ? shortClock(message.ts) : clock(message.ts));
  const gutter = h("div", { class: "gutter" }, how.compact ? time : avatar(author));
  const content = h("div", { class: "content" });
  if (message.ephemeral) content.append(h("p", { class: "only-you" }, icon("eye"), "Only visible to you"));
  if (!how.compact) content.append(heading(author, time));
  if (!how.inThread && isReply(message)) content.append(repliedTo(message));
  if (how.editing) content.append(editor(message));
  else content.append(...bodyOf(message));
  if (!how.editing) content.append(...reactionsOf(message));
  if (!how.inThread && message.reply_count > 0) content.append(replyBar(message));
  node.append(gutter, content);
  if (!how.editing) node.append(toolbar(message, how));
  return node;
}

function isReply(message) {
  return Boolean(message.thread_ts) && message.thread_ts !== message.ts;
}

// A reply that was also sent to the channel.
function repliedTo(message) {
  return h("button", {
    type: "button", class: "replied-to", "data-thread": message.thread_ts, onclick: () => go({ channel: message.channel, thread: message.thread_ts }),
  }, "replied to a thread");
}

export function permalink(message) {
  const query = isReply(message) ? `?thread_ts=${message.thread_ts}&cid=${message.channel}` : "";
  return `/archives/${message.channel}/p${message.ts.replace(".", "")}${query}`;
}

function heading(author, time) {
  const open = () => contextFor({}).onPerson(author.id);
  const isApp = author.is_bot && author.id !== "USLACKBOT";
  return h("header", {},
    author.id === "USLACKBOT"
      ? h("b", { class: "author" }, author.real_name)
      : h("button", { type: "button", class: "author", tabindex: "-1", onclick: isApp ? open : () => profile(author.id) }, author.real_name || author.name),
    isApp && h("span", { class: "tag" }, "APP"),
    author.is_stranger && h("span", { class: "tag" }, "EXTERNAL"),
    time);
}

function bodyOf(message) {
  const parts = [];
  const ctx = contextFor({ channel: message.channel, ts: message.ts });
  const edited = message.edited && h("span", { class: "edited" }, "(edited)");
  if (message.blocks.length) parts.push(h("div", { class: "body" }, renderBlocks(message.blocks, ctx), edited));
  else if (message.text) parts.push(h("div", { class: "body" }, renderText(message.text, ctx), edited));
  for (const file of message.files) parts.push(fileNode(file));
  return parts;
}

function fileNode(file) {
  const url = fileUrl(file.id);
  const words = file.alt || file.title || file.name;
  if (/^image\/(png|jpeg|gif|webp|svg)/.test(file.mimetype)) {
    const image = h("img", { src: url, alt: words, loading: "lazy" });
    return h("figure", { class: "file picture-file", "data-file-id": file.id },
      h("figcaption", {}, file.title || file.name),
      h("button", { type: "button", class: "enlarge", "aria-label": `Enlarge ${words}`, onclick: () => openPicture(url, words) }, image));
  }
  return h("a", { class: "file card", href: url, download: file.name, "data-file-id": file.id },
    h("span", { class: "file-icon" }, icon("file")),
    h("span", {}, h("b", {}, file.name), h("small", {}, sizeWords(file.size))), icon("download"));
}

function replyBar(message) {
  const count = message.reply_count;
  const faces = (message.repliers ?? []).slice(0, 4).map((id) => avatar(person(id), "s20"));
  return h("button", {
    type: "button", class: "replies", "data-thread": message.ts, onclick: () => go({ channel: message.channel, thread: message.ts }),
  },
  h("span", { class: "stack" }, ...faces),
  h("b", {}, `${count} ${count === 1 ? "reply" : "replies"}`),
  message.unread_replies > 0 && h("span", { class: "fresh" }, `${message.unread_replies} new`),
  h("span", { class: "last" }, `Last reply ${whenWords(message.latest_reply)}`));
}
