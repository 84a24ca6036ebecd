// A person's square: initials on a colour that follows from the id.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { store } from "./store.js";

const COLOURS = ["#2f6f9f", "#8a4f9e", "#a8572a", "#2e7d55", "#b0415e", "#5b61b5", "#7a6a1f", "#1f7a83"];

function colour(id) {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return COLOURS[sum % COLOURS.length];
}

function initials(person) {
  const words = (person.real_name || person.name).split(/[\s._-]+/).filter(Boolean);
  return (words.length > 1 ? words[0][0] + words.at(-1)[0] : words[0]?.slice(0, 1) ?? "?").toUpperCase();
}

export function avatar(person, size = "") {
  const node = h("span", { class: `avatar ${size}`, "aria-hidden": "true" });
  if (person.id === store.bot?.id) {
    node.append(icon("bot"));
    node.style.setProperty("--avatar", "#1d2b36");
  } else {
    node.append(initials(person));
    node.style.setProperty("--avatar", person.id === "USLACKBOT" ? "#5a3a63" : colour(person.id));
  }
  return node;
}
