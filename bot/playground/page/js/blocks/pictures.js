// Pictures: from an address, or uploaded to the workspace.

import { h, safePicture } from "./dom.js";
import { plainWords } from "./text.js";

// Where a picture is, or null where it may not be loaded.
function sourceOf(image, ctx) {
  const file = image.slack_file;
  const url = file?.id ? ctx.fileUrl?.(file.id) : (file?.url ?? image.image_url);
  return url ? safePicture(url) : null;
}

// The image block: title, picture that is enlarged on click, or its words where it cannot be shown.
export function imageBlock(block, ctx) {
  const title = block.title ? h("figcaption", { class: "bk-image-title" }, plainWords(block.title)) : null;
  return h("figure", { class: "bk-image" }, title, picture(block, ctx));
}

function picture(image, ctx) {
  const alt = String(image.alt_text ?? "");
  const url = sourceOf(image, ctx);
  if (url === null) return h("p", { class: "bk-no-picture" }, alt || "A picture that cannot be shown");
  const shown = h("img", { src: url, alt, class: "bk-picture" });
  shown.addEventListener("error", () => opener.replaceWith(h("p", { class: "bk-no-picture" }, alt || "The picture did not load")));
  const opener = h(
    "button",
    { type: "button", class: "bk-picture-opener", title: "Enlarge", onclick: () => ctx.onOpenPicture?.(url, alt) },
    shown,
  );
  return opener;
}

// The small image beside a section or among a context's words.
export function smallImage(image, ctx, kind) {
  const url = sourceOf(image, ctx);
  const alt = String(image.alt_text ?? "");
  if (url === null) return h("span", { class: "bk-no-picture" }, alt);
  return h("img", { class: kind, src: url, alt });
}
