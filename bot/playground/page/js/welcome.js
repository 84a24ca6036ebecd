// What the workspace says to a newcomer. Commands in it go into the message box when they are clicked.

import { avatar } from "./avatars.js";
import { renderText } from "./blocks/index.js";
import { contextFor } from "./context.js";
import { h } from "./dom.js";
import { person, store } from "./store.js";

export function welcomeWords(put) {
  const node = h("div", { class: "body" }, ...paragraphs(store.welcome));
  for (const code of node.querySelectorAll("code")) {
    const words = code.textContent;
    if (!/^[/@]/.test(words)) continue;
    code.replaceWith(h("button", { type: "button", class: "try", title: "Put it into the message box", "data-try": words, onclick: () => put(words) }, words));
  }
  return node;
}

// Lines that begin with a number are a list; mrkdwn itself has none.
function paragraphs(text) {
  const parts = [];
  for (const line of text.trim().split("\n")) {
    const step = /^\d+\. (.*)$/.exec(line);
    const words = renderText(step ? step[1] : line, contextFor({}));
    if (!step) parts.push(h("p", {}, words));
    else if (parts.at(-1)?.tagName === "OL") parts.at(-1).append(h("li", {}, words));
    else parts.push(h("ol", {}, h("li", {}, words)));
  }
  return parts;
}

// The welcome as the first thing that Slackbot said in a channel.
export function welcomeMessage(put) {
  const slackbot = person("USLACKBOT");
  return h("section", { class: "message welcome", tabindex: "-1", "aria-label": "Getting started" },
    h("div", { class: "gutter" }, avatar(slackbot)),
    h("div", { class: "content" }, h("header", {}, h("b", { class: "author" }, slackbot.real_name)), welcomeWords(put)));
}
