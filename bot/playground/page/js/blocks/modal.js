// Modals: opened, changed while somebody types, submitted.

import { renderBlock } from "./blocks.js";
import { freshId, h, list } from "./dom.js";
import { newScope, stateOf } from "./scope.js";
import { plainWords } from "./text.js";

const OPEN = new WeakMap();
const ACCEPTED_MS = 1500;

// Put the modal into the document, show it, and move the focus to its first field.
export function openModal(view, ctx) {
  const titleId = freshId();
  const parts = {
    title: h("h2", { class: "bk-dialog-title", id: titleId }),
    cross: h("button", { type: "button", class: "bk-cross", "aria-label": "Close" }, "✕"),
    trouble: h("p", { class: "bk-trouble", role: "alert", hidden: true }),
    body: h("div", { class: "bk-modal-body" }),
    close: h("button", { type: "button", class: "bk-button" }),
    submit: h("button", { type: "submit", class: "bk-button bk-primary" }),
  };
  const form = h(
    "form",
    { class: "bk-modal-form", novalidate: true },
    h("header", { class: "bk-modal-head" }, parts.title, parts.cross),
    parts.trouble,
    parts.body,
    h("footer", { class: "bk-dialog-foot" }, parts.close, parts.submit),
  );
  const dialog = h("dialog", { class: "bk-dialog bk-modal", "aria-labelledby": titleId, "data-view-id": view.id }, form);
  const modal = { dialog, form, parts, scope: newScope(ctx), drawn: new Map(), waiting: false };
  OPEN.set(dialog, modal);
  draw(modal, view, ctx);
  listen(modal);
  document.body.append(dialog);
  dialog.showModal();
  focusFirst(modal, view);
  return dialog;
}

// Show another state of the view. Inputs whose block_id and action_id are the same keep what was typed, as in Slack.
export function updateModal(dialog, view, ctx) {
  const modal = OPEN.get(dialog);
  if (!modal) return;
  const focus = focusOf(modal);
  settle(modal);
  draw(modal, view, ctx);
  restoreFocus(modal, focus, view);
}

// Take the modal away without asking anybody; repeatable.
export function closeModal(dialog) {
  if (dialog.open) dialog.close();
  dialog.remove();
  OPEN.delete(dialog);
}

function draw(modal, view, ctx) {
  const { parts, dialog } = modal;
  modal.view = view;
  modal.ctx = ctx;
  if (view.id) dialog.dataset.viewId = view.id;
  parts.title.textContent = plainWords(view.title);
  parts.close.textContent = plainWords(view.close) || "Cancel";
  parts.submit.textContent = plainWords(view.submit) || "Submit";
  parts.submit.hidden = !view.submit;
  drawBody(modal, list(view.blocks), ctx);
}

function drawBody(modal, blocks, ctx) {
  const old = { fields: modal.scope.fields, drawn: modal.drawn };
  // The scope stays the same object: nodes that are kept were bound to it.
  modal.scope.ctx = ctx;
  modal.scope.fields = [];
  modal.drawn = new Map();
  const nodes = blocks.map((block) => {
    const json = JSON.stringify(block);
    const known = old.drawn.get(block?.block_id);
    let node;
    if (block?.block_id && known?.json === json) {
      node = known.node;
      modal.scope.fields.push(...old.fields.filter((field) => field.block_id === block.block_id));
    } else {
      node = renderBlock(block, modal.scope);
      keepTyped(modal.scope.fields, old.fields, block?.block_id);
    }
    if (block?.block_id) modal.drawn.set(block.block_id, { json, node });
    return node;
  });
  modal.parts.body.replaceChildren(...nodes);
}

function keepTyped(fields, old, blockId) {
  for (const field of fields.filter((f) => f.block_id === blockId)) {
    const before = old.find((f) => f.block_id === blockId && f.action_id === field.action_id && f.kind === field.kind);
    if (before) field.write(before.read());
  }
}

function listen(modal) {
  const { dialog, form, parts } = modal;
  const leave = () => {
    closeModal(dialog);
    modal.ctx.onClose?.();
  };
  parts.close.addEventListener("click", leave);
  parts.cross.addEventListener("click", leave);
  dialog.addEventListener("cancel", (event) => {
    // A menu or a confirmation in the modal has an Escape of its own.
    if (event.target !== dialog) return;
    event.preventDefault();
    leave();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(modal);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && modal.view.submit) submit(modal);
  });
}

async function submit(modal) {
  if (modal.waiting || !modal.view.submit) return;
  showTrouble(modal, null);
  const faults = {};
  for (const field of modal.scope.fields.filter((f) => f.block)) {
    const fault = field.check();
    if (fault) faults[field.block_id] = fault;
  }
  if (showErrors(modal, faults)) return;
  wait(modal);
  try {
    const result = await modal.ctx.onSubmit?.(stateOf(modal.scope));
    if (OPEN.get(modal.dialog) !== modal) return;
    const wrong = Object.keys(result?.errors ?? {}).length > 0 || Boolean(result?.error);
    // What an accepted submission does comes a moment later; until then nobody submits again.
    if (!wrong) modal.settling = setTimeout(() => settle(modal), ACCEPTED_MS);
    else settle(modal);
    showErrors(modal, result?.errors ?? {});
    if (result?.error) showTrouble(modal, String(result.error));
  } catch (error) {
    settle(modal);
    showTrouble(modal, `That did not work: ${error?.message ?? error}`);
  }
}

// Errors by block id, each beside its field; whether there were any. Those of no field stand above all.
function showErrors(modal, errors) {
  const fields = modal.scope.fields.filter((f) => f.block);
  const wrong = fields.filter((field) => Object.hasOwn(errors, field.block_id));
  for (const field of fields) field.tell(wrong.includes(field) ? String(errors[field.block_id]) : null);
  wrong[0]?.focusable.focus();
  const others = Object.keys(errors).filter((id) => !fields.some((field) => field.block_id === id));
  if (others.length) showTrouble(modal, others.map((id) => errors[id]).join(" "));
  return Object.keys(errors).length > 0;
}

function showTrouble(modal, words) {
  modal.parts.trouble.textContent = words ?? "";
  modal.parts.trouble.hidden = !words;
}

function wait(modal) {
  modal.waiting = true;
  modal.form.setAttribute("aria-busy", "true");
  modal.parts.submit.classList.add("bk-busy");
  modal.parts.submit.setAttribute("aria-disabled", "true");
}

function settle(modal) {
  clearTimeout(modal.settling);
  modal.waiting = false;
  modal.form.removeAttribute("aria-busy");
  modal.parts.submit.classList.remove("bk-busy");
  modal.parts.submit.removeAttribute("aria-disabled");
}

function focusFirst(modal, view) {
  const fields = modal.scope.fields;
  const wanted = fields.find((field) => field.block?.element?.focus_on_load) ?? fields.find((field) => field.block);
  (wanted?.focusable ?? (view.submit ? modal.parts.submit : modal.parts.close)).focus();
}

function focusOf(modal) {
  const node = document.activeElement;
  if (!modal.dialog.contains(node)) return null;
  const { blockId, actionId } = node.closest("[data-action-id]")?.dataset ?? {};
  // Only texts have a selection; reading another kind's gives null.
  return { node, blockId, actionId, value: node.value, start: node.selectionStart, end: node.selectionEnd };
}

function restoreFocus(modal, focus, view) {
  if (focus === null) return;
  if (!modal.dialog.contains(focus.node)) {
    const same = [...modal.parts.body.querySelectorAll("[data-action-id]")].find(
      (node) => node.dataset.blockId === focus.blockId && node.dataset.actionId === focus.actionId,
    );
    const inside = same && (same.matches("input, select, textarea, button, a") ? same : same.querySelector(`input[value="${CSS.escape(focus.value ?? "")}"]`));
    if (inside) inside.focus();
    else focusFirst(modal, view);
  } else if (document.activeElement !== focus.node) {
    focus.node.focus();
  }
  const now = document.activeElement;
  if (typeof focus.start === "number" && typeof now.setSelectionRange === "function") {
    try {
      now.setSelectionRange(focus.start, focus.end);
    } catch {
      // Kinds of inputs without a selection refuse one.
    }
  }
}
