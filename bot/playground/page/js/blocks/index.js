// Block Kit in the browser. Nothing here throws for what an app sends, and nothing parses data as HTML.
//
// ctx = {
//   me,                         the reader: {id, tz}
//   people, channels,           Map(id -> person), Map(id -> channel)
//   fileUrl(id) -> url,
//   onAction({action_id, block_id, chosen, element, state}) -> Promise,
//   onOpenPicture(url, alt), onChannel(id), onPerson(id),
//   onUpload(file) -> Promise<file id>      for file inputs; without it they are disabled
// }
// `chosen` and `state` (by action id) are what the control API's `click` takes, `values` what its `submit` takes.
//
// openModal puts the <dialog> into the document and shows it; its ctx has besides
//   onSubmit(values) -> Promise<{errors: {block_id: words}, error: words}>, onClose().
// A modal does not close itself: after a submission the app's answer may close, change or cover it. Whoever
// opened it calls closeModal(dialog) or updateModal(dialog, view, ctx). onClose() says that the person wants it
// closed, and that it is.

export { renderBlocks } from "./blocks.js";
export { renderText, renderTextObject, plainWords } from "./text.js";
export { openModal, updateModal, closeModal } from "./modal.js";
export { renderHome } from "./home.js";
export { emojiFor, emojiNames } from "./emoji.js";
