// Texts: mrkdwn and plain text, as nodes.

import { exactDate, formatDate } from "./dates.js";
import { h, safeLink } from "./dom.js";
import { emojiFor } from "./emoji.js";
import { decode, parseInline, splitBlocks } from "./mrkdwn.js";

const MARKS = { bold: "strong", italic: "em", strike: "s" };

// A mrkdwn text. `verbatim`: bare addresses stay words.
export function renderText(mrkdwn, ctx, { verbatim = false } = {}) {
  const out = document.createDocumentFragment();
  const rules = { marks: true, links: !verbatim };
  for (const block of splitBlocks(mrkdwn ?? "")) {
    if (block.kind === "fence") {
      out.append(h("pre", { class: "bk-fence" }, ...inline(parseInline(block.text, { marks: false }), ctx)));
    } else if (block.kind === "quote") {
      out.append(h("blockquote", { class: "bk-quote" }, ...inline(parseInline(block.text, rules), ctx)));
    } else {
      // Breaks beside a fence or a quote are the block's own, so lines are wrapped in something that can be one.
      out.append(h("span", { class: "bk-lines" }, ...inline(parseInline(block.text, rules), ctx)));
    }
  }
  return out;
}

// A text object, of either kind.
export function renderTextObject(text, ctx) {
  if (typeof text === "string") return renderText(text, ctx);
  if (text?.type === "mrkdwn") return renderText(text.text, ctx, { verbatim: text.verbatim === true });
  const out = document.createDocumentFragment();
  out.append(h("span", { class: "bk-lines" }, ...withBreaks(plainWords(text))));
  return out;
}

// The words of a text object where only words can stand: in a menu, a label, a title.
export function plainWords(text) {
  const raw = String((typeof text === "string" ? text : text?.text) ?? "");
  if (text?.type === "plain_text" && text.emoji === false) return raw;
  return decode(raw).replace(/:([a-z0-9_+'-]{1,60})(?:::skin-tone-\d)?:/g, (typed, name) => emojiFor(name) ?? typed);
}

function withBreaks(words) {
  return words.split("\n").flatMap((line, i) => (i ? [h("br"), line] : [line]));
}

function inline(nodes, ctx) {
  return nodes.map((node) => {
    if (node.kind === "text") return node.text;
    if (node.kind === "break") return h("br");
    if (node.kind === "code") return h("code", {}, ...inline(parseInline(node.text, { marks: false }), ctx));
    if (node.kind === "emoji") return emoji(node.name, node.typed);
    if (node.kind === "url") return link(node.url, node.url);
    if (node.kind === "token") return token(node.inner, ctx);
    return h(MARKS[node.kind], {}, ...inline(node.children, ctx));
  });
}

// An emoji that a screen reader calls by its name; what is not known stays as it was typed.
export function emoji(name, typed = `:${name}:`) {
  const picture = emojiFor(name);
  if (picture === null) return typed;
  return h("span", { class: "bk-emoji", role: "img", "aria-label": String(name).replaceAll("_", " "), title: typed }, picture);
}

// A link in a new tab; words alone where the address is not one to follow.
export function link(url, words) {
  const href = safeLink(url);
  if (href === null) return words;
  return h("a", { href, target: "_blank", rel: "noopener noreferrer", class: "bk-link" }, words);
}

function token(inner, ctx) {
  const bar = inner.indexOf("|");
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? null : decode(inner.slice(bar + 1));
  if (target.startsWith("@")) return person(target.slice(1), label, ctx);
  if (target.startsWith("#")) return channel(target.slice(1), label, ctx);
  if (target.startsWith("!")) return command(target.slice(1), label, ctx);
  const url = decode(target);
  return link(url, label || url.replace(/^(mailto|tel):/i, ""));
}

// A mention of somebody; one's own stands out.
export function person(id, label, ctx) {
  const known = ctx.people?.get(id);
  const name = known?.name ?? label?.replace(/^@/, "") ?? id;
  const own = id === ctx.me?.id ? " bk-mention-me" : "";
  return mention(`@${name}`, `bk-mention${own}`, known && ctx.onPerson && (() => ctx.onPerson(id)));
}

// A link to a channel.
export function channel(id, label, ctx) {
  const known = ctx.channels?.get(id);
  const name = known?.name ?? label?.replace(/^#/, "") ?? "private-channel";
  return mention(`#${name}`, "bk-mention", known && ctx.onChannel && (() => ctx.onChannel(id)));
}

function mention(words, kind, onclick) {
  if (!onclick) return h("span", { class: kind }, words);
  return h("button", { type: "button", class: kind, onclick }, words);
}

function command(inner, label, ctx) {
  const [name, ...rest] = inner.split("^");
  if (["here", "channel", "everyone"].includes(name)) return broadcast(name);
  if (name === "date") return date(Number(rest[0]), rest[1] ?? "", rest[2], label, ctx);
  if (name === "subteam") return h("span", { class: "bk-mention" }, label ?? `@${rest[0] ?? name}`);
  return label ?? `<${inner}>`;
}

// @here and its relatives.
export function broadcast(range) {
  return h("span", { class: "bk-mention bk-mention-me" }, `@${range}`);
}

// A time in the reader's zone.
export function date(seconds, format, url, fallback, ctx) {
  const words = formatDate(seconds, decode(format), ctx.me?.tz);
  if (words === null) return fallback ?? "";
  const shown = h("time", { datetime: new Date(seconds * 1000).toISOString(), title: exactDate(seconds, ctx.me?.tz) }, words);
  return url && safeLink(decode(url)) ? link(decode(url), shown) : shown;
}
