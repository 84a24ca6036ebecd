// The control for files: each is uploaded when it is chosen, and the field holds the ids.

import { h, list } from "./dom.js";

export function fileInput(element, ctx) {
  const kinds = list(element.filetypes).map((kind) => `.${kind}`).join(",");
  const most = Number(element.max_files) || 10;
  const node = h("input", { class: "bk-file", type: "file", multiple: most > 1, accept: kinds || null, disabled: !ctx.onUpload });
  const shown = h("ul", { class: "bk-files", "aria-live": "polite" });
  let files = [];
  let fault = null;
  const changed = [];

  const draw = () => shown.replaceChildren(...files.map((file) => h(
    "li",
    {},
    file.id ? file.name : `${file.name} is being uploaded …`,
    h("button", { type: "button", class: "bk-remove", "aria-label": `Remove ${file.name}`, onclick: () => remove(file) }, "✕"),
  )));
  const remove = (file) => {
    files = files.filter((other) => other !== file);
    draw();
    changed.forEach((change) => change());
  };
  const upload = async (file) => {
    const entry = { name: file.name, id: null };
    files.push(entry);
    draw();
    try {
      entry.id = await ctx.onUpload(file);
    } catch (error) {
      fault = `${file.name} was not uploaded: ${error?.message ?? error}`;
      files = files.filter((other) => other !== entry);
    }
    draw();
  };
  node.addEventListener("change", async () => {
    fault = null;
    await Promise.all([...node.files].map(upload));
    node.value = "";
    changed.forEach((change) => change());
  });
  return {
    node: h("div", { class: "bk-file-box" }, node, shown),
    focusable: node,
    read: () => (files.some((file) => file.id) ? files.filter((file) => file.id).map((file) => file.id) : null),
    write: (ids) => {
      files = list(ids).map((id) => ({ name: id, id }));
      draw();
    },
    check: () => {
      if (files.some((file) => !file.id)) return "A file is still being uploaded.";
      return files.length > most ? `At most ${most} files, please.` : fault;
    },
    on: (change) => changed.push(change),
  };
}
