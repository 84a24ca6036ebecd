// Whom one acts as, and who somebody is.

import { avatar } from "./avatars.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { menu } from "./over.js";
import { go } from "./route.js";
import { person, store } from "./store.js";

function role(somebody) {
  if (somebody.is_stranger) return "from another workspace";
  if (somebody.is_guest) return "guest";
  return somebody.is_admin ? "admin" : "member";
}

export function actAs(name) {
  go({ as: name, thread: null });
}

// The button in the top bar that says who one is, and its menu.
export function showWho(button) {
  const me = store.me;
  button.replaceChildren(avatar(me, "s26"), h("span", { class: "words" }, h("span", { class: "as" }, "Acting as "), h("b", {}, me.real_name)));
  button.setAttribute("aria-label", `Acting as ${me.real_name}. Act as somebody else`);
  button.onclick = () => {
    const living = [...store.people.values()].filter((p) => !p.is_bot && !p.deleted);
    menu(button, living.map((p) => ({
      words: p.real_name, detail: `@${p.name} · ${role(p)}`, lead: avatar(p, "s26"), name: p.name,
      checked: p.id === me.id, choose: () => actAs(p.name),
    })), { label: "Act as" });
  };
}

// Somebody's card.
export function profile(id) {
  const somebody = person(id);
  const dialog = h("dialog", { class: "ask profile", "aria-label": somebody.real_name });
  const close = () => dialog.close();
  const canAct = !somebody.is_bot && !somebody.deleted && id !== store.me.id && store.people.has(id);
  dialog.append(
    h("button", { type: "button", class: "icon-button corner", "aria-label": "Close", onclick: close }, icon("close")),
    avatar(somebody),
    h("h2", {}, somebody.real_name),
    h("p", {}, `@${somebody.name} · ${somebody.deleted ? "deactivated" : role(somebody)}`),
    canAct && h("button", {
      type: "button", class: "button primary",
      onclick: () => {
        close();
        actAs(somebody.name);
      },
    }, `Act as ${somebody.real_name}`),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
