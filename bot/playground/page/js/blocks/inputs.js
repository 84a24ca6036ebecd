// The input block: label, control, hint, and what is wrong with it.

import { controlOf, mark } from "./controls.js";
import { asJson, freshId, h, list } from "./dom.js";
import { actWith } from "./scope.js";
import { plainWords } from "./text.js";

const TYPED = new Set(["plain_text_input", "number_input", "email_text_input", "url_text_input"]);
const TOLD_AFTER_MS = 300;

export function inputBlock(block, scope) {
  const element = block.element ?? {};
  const control = controlOf(element, scope.ctx, { clearable: Boolean(block.optional) });
  if (control === null) return asJson(block, `input with ${element.type}`);
  const ids = { control: freshId(), label: freshId(), hint: freshId(), error: freshId() };
  const named = mark(control, element, block.block_id);
  const node = framed(block, control, ids);
  const fault = node.querySelector(".bk-error");
  const field = {
    ...control,
    block_id: block.block_id,
    action_id: element.action_id,
    kind: element.type,
    block,
    check: () => control.check() ?? (!block.optional && control.read() === null ? "This has to be filled in." : null),
    // What is wrong, beside the field; null takes it away.
    tell: (words) => {
      fault.textContent = words ?? "";
      node.classList.toggle("bk-wrong", Boolean(words));
      if (words) named.setAttribute("aria-invalid", "true");
      else named.removeAttribute("aria-invalid");
    },
  };
  scope.fields.push(field);
  control.node.addEventListener("input", () => field.tell(null));
  control.on(() => field.tell(null));
  if (block.dispatch_action) dispatch(block, control, scope);
  return node;
}

function framed(block, control, ids) {
  const optional = block.optional ? h("span", { class: "bk-optional" }, " (optional)") : null;
  const words = [plainWords(block.label), optional];
  const described = `${block.hint ? `${ids.hint} ` : ""}${ids.error}`;
  const hint = block.hint ? h("div", { class: "bk-hint", id: ids.hint }, plainWords(block.hint)) : null;
  const fault = h("div", { class: "bk-error", id: ids.error, role: "alert" });
  let label;
  if (control.group) {
    label = h("div", { class: "bk-label", id: ids.label }, ...words);
    control.node.setAttribute("role", control.group);
    control.node.setAttribute("aria-labelledby", ids.label);
    control.node.setAttribute("aria-describedby", described);
    if (!block.optional && control.group === "radiogroup") control.node.setAttribute("aria-required", "true");
  } else {
    label = h("label", { class: "bk-label", for: ids.control }, ...words);
    control.focusable.id = ids.control;
    control.focusable.setAttribute("aria-describedby", described);
    if (!block.optional) control.focusable.setAttribute("aria-required", "true");
  }
  return h("div", { class: "bk-input-block" }, label, control.node, hint, fault);
}

// docs.slack.dev: composition-objects/dispatch-action-configuration-object. Without one, Enter sends a text.
function dispatch(block, control, scope) {
  const element = block.element;
  const send = () => actWith(scope, element, block.block_id, control);
  if (!TYPED.has(element.type)) {
    control.on(send);
    return;
  }
  const on = list(element.dispatch_action_config?.trigger_actions_on);
  if (!on.length || on.includes("on_enter_pressed")) {
    control.focusable.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || (element.multiline && event.shiftKey)) return;
      event.preventDefault();
      send();
    });
  }
  if (on.includes("on_character_entered")) {
    let waiting = null;
    control.focusable.addEventListener("input", () => {
      clearTimeout(waiting);
      // What has been submitted meanwhile, or is gone, is told already.
      waiting = setTimeout(() => control.node.isConnected && !control.node.closest("form[aria-busy]") && send(), TOLD_AFTER_MS);
    });
  }
}
