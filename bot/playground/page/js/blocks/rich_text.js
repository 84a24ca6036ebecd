// The rich_text block (docs.slack.dev: reference/block-kit/blocks/rich-text-block).

import { asJson, h, list } from "./dom.js";
import { broadcast, channel, date, emoji, link, person } from "./text.js";

export function richText(block, ctx) {
  return h("div", { class: "bk-rich" }, ...list(block.elements).map((element) => part(element, ctx)));
}

function part(element, ctx) {
  switch (element?.type) {
    case "rich_text_section":
      return h("div", { class: "bk-rich-section" }, ...pieces(element, ctx));
    case "rich_text_preformatted":
      return h("pre", { class: "bk-fence" }, ...pieces(element, ctx));
    case "rich_text_quote":
      return h("blockquote", { class: "bk-quote" }, ...pieces(element, ctx));
    case "rich_text_list":
      return listOf(element, ctx);
    default:
      return asJson(element, String(element?.type ?? "element"));
  }
}

function listOf(element, ctx) {
  const ordered = element.style === "ordered";
  const start = ordered && Number(element.offset) > 0 ? Number(element.offset) + 1 : null;
  const indent = Math.min(Math.max(Number(element.indent) || 0, 0), 8);
  const items = list(element.elements).map((item) => h("li", {}, ...pieces(item, ctx)));
  return h(ordered ? "ol" : "ul", { class: `bk-list bk-indent-${indent}`, start }, ...items);
}

function pieces(element, ctx) {
  return list(element?.elements).flatMap((piece) => {
    const shown = plain(piece, ctx);
    const parts = Array.isArray(shown) ? shown : [shown];
    const marks = [["code", "code"], ["strike", "s"], ["italic", "em"], ["bold", "strong"], ["underline", "u"]];
    return marks.reduce((inner, [name, tag]) => (piece?.style?.[name] ? [h(tag, {}, ...inner)] : inner), parts);
  });
}

function plain(piece, ctx) {
  switch (piece?.type) {
    case "text":
      return String(piece.text ?? "").split("\n").flatMap((line, i) => (i ? [h("br"), line] : [line]));
    case "link":
      return link(piece.url, String(piece.text ?? piece.url));
    case "emoji":
      return emoji(piece.name);
    case "user":
      return person(piece.user_id, null, ctx);
    case "channel":
      return channel(piece.channel_id, null, ctx);
    case "broadcast":
      return broadcast(piece.range);
    case "usergroup":
      return h("span", { class: "bk-mention" }, `@${piece.usergroup_id}`);
    case "date":
      return date(Number(piece.timestamp), String(piece.format ?? ""), piece.url, piece.fallback, ctx);
    case "color":
      return String(piece.value ?? "");
    default:
      return String(piece?.text ?? "");
  }
}
