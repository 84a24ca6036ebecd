// The question before something is done (docs.slack.dev: composition-objects/confirmation-dialog-object).

import { freshId, h } from "./dom.js";
import { plainWords, renderTextObject } from "./text.js";

// Resolves to whether the person said yes.
export function confirmed(confirm, ctx) {
  return new Promise((resolve) => {
    const titleId = freshId();
    const textId = freshId();
    const style = confirm.style === "danger" ? "bk-danger" : "bk-primary";
    const yes = h("button", { type: "button", class: `bk-button ${style}`, value: "yes" }, plainWords(confirm.confirm) || "Yes");
    const no = h("button", { type: "button", class: "bk-button" }, plainWords(confirm.deny) || "Cancel");
    const dialog = h(
      "dialog",
      { class: "bk-dialog bk-confirm", "aria-labelledby": titleId, "aria-describedby": textId },
      h("h2", { id: titleId, class: "bk-dialog-title" }, plainWords(confirm.title) || "Are you sure?"),
      h("div", { id: textId, class: "bk-dialog-text" }, renderTextObject(confirm.text, ctx)),
      h("div", { class: "bk-dialog-foot" }, no, yes),
    );
    yes.addEventListener("click", () => dialog.close("yes"));
    no.addEventListener("click", () => dialog.close("no"));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    yes.focus();
  });
}
