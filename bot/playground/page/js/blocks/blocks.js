// Blocks of messages, modals and the home tab.

import { button, overflow } from "./buttons.js";
import { controlOf, mark } from "./controls.js";
import { asJson, h, list } from "./dom.js";
import { inputBlock } from "./inputs.js";
import { imageBlock, smallImage } from "./pictures.js";
import { richText } from "./rich_text.js";
import { actWith, newScope } from "./scope.js";
import { plainWords, renderTextObject } from "./text.js";

const KINDS = {
  section,
  header: (block) => h("h3", { class: "bk-header" }, plainWords(block.text)),
  divider: () => h("hr", { class: "bk-divider" }),
  context,
  actions,
  image: (block, scope) => imageBlock(block, scope.ctx),
  rich_text: (block, scope) => richText(block, scope.ctx),
  input: (block, scope) => inputBlock(block, scope),
};

// All blocks of one surface.
export function renderBlocks(blocks, ctx) {
  const scope = newScope(ctx);
  const out = document.createDocumentFragment();
  out.append(...list(blocks).map((block) => renderBlock(block, scope)));
  return out;
}

// One block; its fields are added to the scope. What is not known, or not as it should be, is shown as it was sent.
export function renderBlock(block, scope) {
  const kind = String(block?.type ?? "block");
  const before = scope.fields.length;
  let node;
  try {
    node = Object.hasOwn(KINDS, kind) ? KINDS[kind](block, scope) : asJson(block, kind);
  } catch {
    scope.fields.length = before;
    node = asJson(block, kind);
  }
  if (block?.block_id) node.dataset.blockId = block.block_id;
  node.classList.add("bk-block");
  return node;
}

function section(block, scope) {
  const words = h("div", { class: "bk-section-words" });
  if (block.text) words.append(h("div", { class: "bk-text" }, renderTextObject(block.text, scope.ctx)));
  if (block.fields) {
    const fields = list(block.fields).map((field) => h("div", { class: "bk-field" }, renderTextObject(field, scope.ctx)));
    words.append(h("div", { class: "bk-fields" }, ...fields));
  }
  if (!block.accessory) return h("div", { class: "bk-section" }, words);
  const accessory = block.accessory.type === "image"
    ? smallImage(block.accessory, scope.ctx, "bk-thumbnail")
    : interactive(block.accessory, block.block_id, scope, plainWords(block.text));
  return h("div", { class: "bk-section" }, words, h("div", { class: "bk-accessory" }, accessory));
}

function context(block, scope) {
  const parts = list(block.elements).map((element) => (
    element?.type === "image"
      ? smallImage(element, scope.ctx, "bk-context-image")
      : h("div", { class: "bk-context-words" }, renderTextObject(element, scope.ctx))
  ));
  return h("div", { class: "bk-context" }, ...parts);
}

function actions(block, scope) {
  const elements = list(block.elements).map((element) => interactive(element, block.block_id, scope, ""));
  return h("div", { class: "bk-actions" }, ...elements);
}

// An element outside an input block: whatever is chosen goes to the app at once.
function interactive(element, blockId, scope, label) {
  if (element?.type === "button") return button(element, blockId, scope);
  if (element?.type === "overflow") return overflow(element, blockId, scope);
  const control = controlOf(element, scope.ctx, { clearable: false });
  if (control === null) return asJson(element, String(element?.type ?? "element"));
  const words = plainWords(element.placeholder) || label || String(element.type).replaceAll("_", " ");
  const named = mark(control, element, blockId);
  named.setAttribute("aria-label", words);
  if (control.group) control.node.setAttribute("role", control.group);
  scope.fields.push({ ...control, block_id: blockId, action_id: element.action_id, kind: element.type, block: null });
  let before = control.read();
  control.on(async () => {
    const done = await actWith(scope, element, blockId, control);
    if (done) before = control.read();
    else control.write(before);
  });
  return control.node;
}
