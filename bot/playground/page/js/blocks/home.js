// The home tab.

import { renderBlocks } from "./blocks.js";
import { h } from "./dom.js";

// The tab as the app published it for the reader; without a view, a word on that.
export function renderHome(view, ctx) {
  const node = h("section", { class: "bk-home", "aria-label": "Home" });
  if (view?.blocks) node.append(renderBlocks(view.blocks, ctx));
  else node.append(h("p", { class: "bk-empty" }, "The app has published nothing here yet."));
  return node;
}
