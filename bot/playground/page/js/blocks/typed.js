// Controls that are typed into: texts, numbers, dates and times.

import { instantOf, localOf } from "./dates.js";
import { h } from "./dom.js";
import { plainWords } from "./text.js";

const TYPES = { email_text_input: "email", url_text_input: "url" };

// A line or a box of text.
export function textInput(element) {
  const shared = { class: "bk-input", placeholder: plainWords(element.placeholder) || null, autocomplete: "off" };
  const node = element.multiline
    ? h("textarea", { ...shared, rows: 4 })
    : h("input", { ...shared, type: TYPES[element.type] ?? "text" });
  node.value = String(element.initial_value ?? "");
  const left = element.max_length ? h("span", { class: "bk-left", "aria-live": "polite" }) : null;
  const count = () => {
    const remains = element.max_length - [...node.value].length;
    left.textContent = remains <= 20 ? String(remains) : "";
    left.classList.toggle("bk-over", remains < 0);
  };
  if (left) {
    node.addEventListener("input", count);
    count();
  }
  return {
    ...typed(node, () => lengthFault(element, node.value) ?? formFault(element.type, node)),
    node: left ? h("div", { class: "bk-counted" }, node, left) : node,
    write: (value) => {
      node.value = value ?? "";
      if (left) count();
    },
  };
}

function lengthFault(element, value) {
  const length = [...value].length;
  if (value !== "" && element.min_length && length < element.min_length) {
    return `At least ${element.min_length} characters, please.`;
  }
  if (element.max_length && length > element.max_length) return `At most ${element.max_length} characters, please.`;
  return null;
}

function formFault(kind, node) {
  if (node.value === "" || !Object.hasOwn(TYPES, kind) || node.validity.valid) return null;
  return kind === "email_text_input" ? "This is no mail address." : "This is no web address. It begins with https://.";
}

// A number, typed as text so that what is no number can be named as such.
export function numberInput(element) {
  const node = h("input", {
    class: "bk-input bk-short", type: "text", inputmode: element.is_decimal_allowed ? "decimal" : "numeric", autocomplete: "off",
    placeholder: plainWords(element.placeholder) || null,
  });
  node.value = String(element.initial_value ?? "");
  return typed(node, () => numberFault(element, node.value.trim()), (value) => value.trim());
}

function numberFault(element, value) {
  if (value === "") return null;
  const form = element.is_decimal_allowed ? /^[+-]?(\d+\.?\d*|\.\d+)$/ : /^[+-]?\d+$/;
  if (!form.test(value)) return element.is_decimal_allowed ? "This is no number." : "This is no whole number.";
  const { min_value: least, max_value: most } = element;
  if (least !== undefined && least !== null && Number(value) < Number(least)) return `${least} or more, please.`;
  if (most !== undefined && most !== null && Number(value) > Number(most)) return `${most} or less, please.`;
  return null;
}

// A day, as YYYY-MM-DD.
export function dateInput(element) {
  return typed(native("date", element.initial_date), () => null);
}

// A time of day, as HH:MM.
export function timeInput(element) {
  return typed(native("time", element.initial_time), () => null);
}

// An instant, in seconds; shown on the reader's clock.
export function dateTimeInput(element, ctx) {
  const zone = ctx.me?.tz;
  const initial = Number(element.initial_date_time);
  const node = native("datetime-local", Number.isFinite(initial) && initial > 0 ? localOf(initial, zone) : "");
  return {
    ...typed(node, () => null, (value) => (value === "" ? "" : instantOf(value, zone))),
    write: (value) => {
      node.value = value ? localOf(value, zone) : "";
    },
  };
}

function native(type, initial) {
  const node = h("input", { class: "bk-input bk-short", type });
  node.value = String(initial ?? "");
  return node;
}

function typed(node, check, cleaned = (value) => value) {
  return {
    node,
    focusable: node,
    read: () => {
      const value = cleaned(node.value);
      return value === "" ? null : value;
    },
    write: (value) => {
      node.value = value ?? "";
    },
    check,
    on: (change) => node.addEventListener("change", change),
  };
}
