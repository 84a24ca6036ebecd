// What the controls of one message, modal or home tab hold, and how a click leaves the page.

import { confirmed } from "./confirm.js";
import { h } from "./dom.js";

// A scope collects the fields of one surface. A field is
// {block_id, action_id, kind, focusable, read() -> value, write(value), check() -> words or null, block}.
export function newScope(ctx) {
  return { ctx, fields: [] };
}

// What is chosen and typed at present, by action id; null where nothing is.
export function stateOf(scope) {
  const state = {};
  for (const field of scope.fields) state[field.action_id] = field.read();
  return state;
}

// Tell the app that an element was used. The node is busy until that is answered, and takes no second click.
// Resolves to false where the person took it back in the confirmation.
export async function act(scope, element, blockId, chosen, node) {
  if (node.getAttribute("aria-busy") === "true") return true;
  node.setAttribute("aria-busy", "true");
  try {
    if (element.confirm && !(await confirmed(element.confirm, scope.ctx))) return false;
    node.classList.add("bk-busy");
    trouble(node, null);
    await scope.ctx.onAction?.({
      action_id: element.action_id, block_id: blockId, chosen: chosen ?? null, element, state: stateOf(scope),
    });
  } catch (error) {
    trouble(node, error);
  } finally {
    node.removeAttribute("aria-busy");
    node.classList.remove("bk-busy");
  }
  return true;
}

const again = new WeakSet();

// The same for a control that holds something: what it holds when the app has answered is told next, so that the
// app always hears the last choice.
export async function actWith(scope, element, blockId, control) {
  if (control.node.getAttribute("aria-busy") === "true") {
    again.add(control.node);
    return true;
  }
  let done;
  do {
    again.delete(control.node);
    done = await act(scope, element, blockId, control.read(), control.node);
  } while (again.has(control.node));
  return done;
}

// Slack puts a sign beside what did not work.
function trouble(node, error) {
  if (node.nextElementSibling?.matches(".bk-failed")) node.nextElementSibling.remove();
  if (error === null) return;
  const words = `That did not work: ${error?.message ?? error}`;
  node.after(h("span", { class: "bk-failed", role: "alert", title: words }, "⚠️", h("span", { class: "bk-unseen" }, words)));
}
