// The app's modals that the acting person has open, one over the other.

import { act } from "./api.js";
import { closeModal, openModal, updateModal } from "./blocks/index.js";
import { contextFor, notAnswered } from "./context.js";
import { toast } from "./over.js";
import { store } from "./store.js";

const shown = new Map();

// Bring the dialogs in line with what is open.
export function showModals() {
  const wanted = new Map(store.modals.map((view) => [view.id, view]));
  for (const [id, { dialog, user }] of shown) {
    if (wanted.has(id) && user === store.me.id) continue;
    shown.delete(id);
    closeModal(dialog);
  }
  for (const [id, view] of wanted) {
    const known = shown.get(id);
    if (!known) {
      shown.set(id, { dialog: openModal(view, modalContext(view)), hash: view.hash, user: store.me.id });
    } else if (known.hash !== view.hash) {
      known.hash = view.hash;
      updateModal(known.dialog, view, modalContext(view));
    }
  }
}

function modalContext(view) {
  return contextFor({ view_id: view.id }, {
    onSubmit: async (values) => {
      const told = await act("submit", { user: store.me.id, view_id: view.id, values });
      if (told.acked) return { errors: told.errors };
      return { errors: {}, error: notAnswered(told.error) };
    },
    onClose: () => {
      shown.delete(view.id);
      act("close", { user: store.me.id, view_id: view.id }).catch((error) => toast(error.message));
    },
  });
}
