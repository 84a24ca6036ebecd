// Slack's mrkdwn as a tree of plain objects. No DOM here, and no opinion about how a thing looks.
//
// Inline nodes: {kind: "text", text} | {kind: "break"} | {kind: "code", text} | {kind: "emoji", name}
//   | {kind: "bold"|"italic"|"strike", children} | {kind: "token", inner} | {kind: "url", url}

import { emojiFor } from "./emoji.js";

const EMPHASIS = { "*": "bold", _: "italic", "~": "strike" };
const EMOJI = /:([a-z0-9_+'-]{1,60})(?:::skin-tone-\d)?:/y;
const URL_BARE = /https?:\/\/[^\s<>|]+/y;
// Emphasis inside emphasis beyond this is left as typed: nobody means it.
const DEEPEST = 6;

// The three entities that Slack uses, and no others.
export function decode(text) {
  return String(text).replace(/&(amp|lt|gt);/g, (_whole, name) => ({ amp: "&", lt: "<", gt: ">" })[name]);
}

// Blocks of a text: {kind: "fence", text}, {kind: "quote", lines}, {kind: "lines", text}.
export function splitBlocks(text) {
  const blocks = [];
  const parts = String(text).split("```");
  if (parts.length % 2 === 0) {
    // A fence that is never closed is no fence.
    const rest = parts.pop();
    parts.push(`${parts.pop()}${"```"}${rest}`);
  }
  parts.forEach((part, i) => {
    if (i % 2 === 1 && part !== "") blocks.push({ kind: "fence", text: part.replace(/^\n/, "").replace(/\n$/, "") });
    else if (i % 2 === 1) blocks.push({ kind: "lines", text: "``````" });
    else blocks.push(...splitQuotes(i === 0 ? part : part.replace(/^\n/, "")));
  });
  return blocks;
}

function splitQuotes(text) {
  if (text === "") return [];
  const blocks = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i += 1) {
    const rest = /^(?:>|&gt;){3} ?/.exec(lines[i]);
    const quoted = /^(?:>|&gt;) ?/.exec(lines[i]);
    if (rest) {
      blocks.push({ kind: "quote", text: [lines[i].slice(rest[0].length), ...lines.slice(i + 1)].join("\n") });
      break;
    }
    const kind = quoted ? "quote" : "lines";
    const line = quoted ? lines[i].slice(quoted[0].length) : lines[i];
    const last = blocks.at(-1);
    if (last?.kind === kind) last.text += `\n${line}`;
    else blocks.push({ kind, text: line });
  }
  return blocks;
}

const isWord = (c) => c !== undefined && /[\p{L}\p{N}]/u.test(c);
const isSpace = (c) => c === undefined || /\s/.test(c);

// Inline nodes of a text. `marks` false: only tokens and line breaks, as inside code. `links`: bare addresses too.
export function parseInline(text, { marks = true, links = true } = {}, depth = 0) {
  const nodes = [];
  const hopeless = {};
  let plain = "";
  const flush = () => {
    if (plain !== "") nodes.push({ kind: "text", text: decode(plain) });
    plain = "";
  };
  const add = (node) => {
    flush();
    nodes.push(node);
  };
  let i = 0;
  while (i < text.length) {
    const found = special(text, i, { marks, links, depth, hopeless });
    if (found) {
      add(found.node);
      i = found.next;
    } else {
      plain += text[i];
      i += 1;
    }
  }
  flush();
  return nodes;
}

function special(text, i, rules) {
  const c = text[i];
  if (c === "\n") return { node: { kind: "break" }, next: i + 1 };
  if (c === "<") return token(text, i);
  if (!rules.marks) return null;
  if (c === "`") return code(text, i, rules.hopeless);
  if (c === ":") return emoji(text, i);
  if (c in EMPHASIS) return emphasis(text, i, rules);
  if (c === "h" && rules.links && !isWord(text[i - 1])) return bareUrl(text, i);
  return null;
}

function matched(pattern, text, i, node) {
  pattern.lastIndex = i;
  const m = pattern.exec(text);
  return m ? { node: node(m), next: i + m[0].length } : null;
}

function emoji(text, i) {
  const found = matched(EMOJI, text, i, (m) => ({ kind: "emoji", name: m[1], typed: m[0] }));
  return found && emojiFor(found.node.name) !== null ? found : null;
}

function token(text, i) {
  const end = text.indexOf(">", i);
  const inner = end < 0 ? "" : text.slice(i + 1, end);
  // Slack's tokens have no line breaks and no second "<"; anything else is a sign that somebody typed.
  if (end < 0 || !/^(?:[@#!][^\n<]+|[a-z][a-z0-9+.-]*:[^\n<]+)$/i.test(inner)) return null;
  return { node: { kind: "token", inner }, next: end + 1 };
}

function bareUrl(text, i) {
  const found = matched(URL_BARE, text, i, (m) => ({ kind: "url", url: m[0] }));
  if (!found) return null;
  const kept = found.node.url.replace(/(?:[.,;:!?)'"*_~`]|&gt;)+$/, "");
  if (!/^https?:\/\/./.test(kept)) return null;
  return { node: { kind: "url", url: decode(kept) }, next: i + kept.length };
}

function code(text, i, hopeless) {
  if (hopeless["`"] > i) return null;
  const line = lineEnd(text, i);
  const end = text.indexOf("`", i + 1);
  if (end < 0 || end > line) {
    hopeless["`"] = line;
    return null;
  }
  // Nothing but spaces is no code.
  if (text.slice(i + 1, end).trim() === "") return null;
  return { node: { kind: "code", text: text.slice(i + 1, end) }, next: end + 1 };
}

function emphasis(text, i, rules) {
  const mark = text[i];
  if (rules.depth >= DEEPEST || rules.hopeless[mark] > i) return null;
  if (isWord(text[i - 1]) || isSpace(text[i + 1]) || text[i + 1] === mark) return null;
  const end = closing(text, i, mark);
  if (end < 0) {
    // Looked for once a line and mark: many lone stars stay cheap.
    rules.hopeless[mark] = lineEnd(text, i);
    return null;
  }
  const inside = parseInline(text.slice(i + 1, end), rules, rules.depth + 1);
  return { node: { kind: EMPHASIS[mark], children: inside }, next: end + 1 };
}

function closing(text, i, mark) {
  const line = lineEnd(text, i);
  for (let k = i + 1; k < line; k += 1) {
    const c = text[k];
    if (c === "<" || c === "`") {
      const end = text.indexOf(c === "<" ? ">" : "`", k + 1);
      if (end > 0 && end < line) k = end;
    } else if (c === mark && k > i + 1 && !isSpace(text[k - 1]) && !isWord(text[k + 1])) {
      return k;
    }
  }
  return -1;
}

function lineEnd(text, i) {
  const end = text.indexOf("\n", i);
  return end < 0 ? text.length : end;
}
