// Elements, as the blocks build them; parts that are false or empty are left out.

import { h as plain } from "./blocks/dom.js";

export function h(tag, attributes = {}, ...children) {
  return plain(tag, attributes, ...children.filter((child) => child !== false && child !== null && child !== undefined && child !== ""));
}
