// Controls with options: menus, radio buttons, checkboxes.

import { freshId, h, list } from "./dom.js";
import { plainWords, renderTextObject } from "./text.js";

// A menu for one of several. `facts.clearable`: whether it may be emptied again.
export function menu(element, groups, initial, facts = {}) {
  const hint = plainWords(element.placeholder) || "Choose an option";
  const none = h("option", { value: "", disabled: !facts.clearable, hidden: !facts.clearable }, hint);
  const node = h("select", { class: "bk-select" }, none);
  for (const group of groups) {
    const options = group.options.map((option) => h("option", { value: option?.value }, optionWords(option)));
    if (group.label) node.append(h("optgroup", { label: plainWords(group.label) }, ...options));
    else node.append(...options);
  }
  const write = (value) => {
    node.value = value ?? "";
    // A value that is not among the options leaves nothing chosen.
    if (node.selectedIndex < 0) node.value = "";
    node.classList.toggle("bk-unset", node.value === "");
  };
  write(initial);
  node.addEventListener("change", () => node.classList.toggle("bk-unset", node.value === ""));
  return {
    node, focusable: node, read: () => node.value || null, write, check: () => null,
    on: (change) => node.addEventListener("change", change),
  };
}

function optionWords(option) {
  const description = option?.description ? ` – ${plainWords(option.description)}` : "";
  return plainWords(option?.text) + description;
}

// A menu for several: a list of boxes to tick, which scrolls.
export function multiMenu(element, groups, initial, ctx) {
  const box = h("div", { class: "bk-multi" });
  for (const group of groups) {
    if (group.label) box.append(h("div", { class: "bk-group-label" }, plainWords(group.label)));
    for (const option of group.options) box.append(choice("checkbox", null, option, ctx));
  }
  const control = ticked(box, initial);
  const most = element.max_selected_items;
  if (!most) return control;
  return {
    ...control,
    check: () => (list(control.read()).length > most ? `At most ${most}, please.` : null),
  };
}

// Boxes to tick.
export function checkboxes(element, ctx) {
  const box = h("div", { class: "bk-choices" });
  for (const option of list(element.options)) box.append(choice("checkbox", null, option, ctx));
  return ticked(box, list(element.initial_options).map((option) => option?.value));
}

function ticked(box, initial) {
  const inputs = () => [...box.querySelectorAll("input")];
  const write = (values) => inputs().forEach((input) => {
    input.checked = list(values).includes(input.value);
  });
  write(initial);
  return {
    node: box,
    focusable: box.querySelector("input") ?? box,
    group: "group",
    read: () => {
      const values = inputs().filter((input) => input.checked).map((input) => input.value);
      return values.length ? values : null;
    },
    write,
    check: () => null,
    on: (change) => box.addEventListener("change", change),
  };
}

// One of several, all in sight.
export function radioButtons(element, ctx) {
  const box = h("div", { class: "bk-choices" });
  const name = freshId();
  for (const option of list(element.options)) box.append(choice("radio", name, option, ctx));
  const inputs = () => [...box.querySelectorAll("input")];
  const write = (value) => inputs().forEach((input) => {
    input.checked = input.value === value;
  });
  write(element.initial_option?.value);
  return {
    node: box,
    focusable: box.querySelector("input") ?? box,
    group: "radiogroup",
    read: () => inputs().find((input) => input.checked)?.value ?? null,
    write,
    check: () => null,
    on: (change) => box.addEventListener("change", change),
  };
}

function choice(type, name, option, ctx) {
  const id = freshId();
  const words = h("span", {}, renderTextObject(option?.text, ctx));
  const description = option?.description
    ? h("span", { class: "bk-description" }, renderTextObject(option.description, ctx))
    : null;
  return h(
    "label",
    { class: "bk-choice", for: id },
    h("input", { id, type, name, value: option?.value ?? "" }),
    h("span", { class: "bk-choice-words" }, words, description),
  );
}
