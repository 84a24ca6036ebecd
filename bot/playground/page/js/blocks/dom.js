// Elements, built from parts that are always text.

// h("p", {class: "x", onclick: f, "data-id": 1}, "words", node): attributes that are null or false are left out.
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

let made = 0;

// An id that no other element of the page has.
export function freshId() {
  made += 1;
  return `bk-${made}`;
}

// The address if a page may follow it, else null: no script, no data.
export function safeLink(url) {
  return /^(https?|mailto|tel):/i.test(String(url)) ? String(url) : null;
}

// The address if a picture may be loaded from it, else null.
export function safePicture(url) {
  return /^(https?:|blob:|\/(?!\/)|data:image\/(png|jpeg|gif|webp);)/i.test(String(url)) ? String(url) : null;
}

// A list, whatever was sent in its place.
export function list(value) {
  return Array.isArray(value) ? value : [];
}

// The JSON of what is not known here, to be unfolded.
export function asJson(value, kind) {
  return h(
    "details",
    { class: "bk-json" },
    h("summary", {}, `${kind} (not drawn here)`),
    h("pre", {}, JSON.stringify(value, null, 2) ?? String(value)),
  );
}
