// What the Block Kit renderer needs to know, and what becomes of a click.

import { act, fileUrl, upload } from "./api.js";
import { openPicture, toast } from "./over.js";
import { profile } from "./people.js";
import { go } from "./route.js";
import { direct, store } from "./store.js";

// `where` is {channel, ts} of a message, or {view_id} of a view.
export function contextFor(where, more = {}) {
  return {
    me: store.me,
    people: store.people,
    channels: store.channels,
    fileUrl,
    onOpenPicture: openPicture,
    onChannel: (id) => go({ channel: id }),
    onPerson: (id) => (id === store.bot.id ? go({ channel: direct().id }) : profile(id)),
    onAction: (action) => press(where, action),
    onUpload: async (file) => (await upload({ user: store.me.id }, [file])).files[0],
    ...more,
  };
}

async function press(where, { action_id, block_id, chosen, state }) {
  const told = await act("click", { user: store.me.id, ...where, action_id, block_id, chosen, values: state });
  if (told.acked) return;
  toast(notAnswered(told.error));
  throw new Error(notAnswered(told.error));
}

// What Slack means by the name of a failure.
export function notAnswered(error) {
  if (error === "dispatch_failed") return "The app is not connected (dispatch_failed).";
  return `The app did not answer in time (${error}).`;
}
