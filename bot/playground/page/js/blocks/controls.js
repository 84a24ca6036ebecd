// Which control an element becomes. A control is {node, focusable, read, write, check, on(change), group}.

import { checkboxes, menu, multiMenu, radioButtons } from "./choices.js";
import { fileInput } from "./files.js";
import { list } from "./dom.js";
import { dateInput, dateTimeInput, numberInput, textInput, timeInput } from "./typed.js";

const KINDS = {
  plain_text_input: (element) => textInput(element),
  email_text_input: (element) => textInput(element),
  url_text_input: (element) => textInput(element),
  number_input: (element) => numberInput(element),
  datepicker: (element) => dateInput(element),
  timepicker: (element) => timeInput(element),
  datetimepicker: (element, ctx) => dateTimeInput(element, ctx),
  file_input: (element, ctx) => fileInput(element, ctx),
  static_select: (element, ctx, facts) => menu(element, groupsOf(element), element.initial_option?.value, facts),
  multi_static_select: (element, ctx) => multiMenu(element, groupsOf(element), valuesOf(element.initial_options), ctx),
  radio_buttons: (element, ctx) => radioButtons(element, ctx),
  checkboxes: (element, ctx) => checkboxes(element, ctx),
  users_select: (element, ctx, facts) => menu(element, peopleOf(ctx), element.initial_user, facts),
  multi_users_select: (element, ctx) => multiMenu(element, peopleOf(ctx), list(element.initial_users), ctx),
  channels_select: (element, ctx, facts) => menu(element, channelsOf(ctx), element.initial_channel, facts),
  multi_channels_select: (element, ctx) => multiMenu(element, channelsOf(ctx), list(element.initial_channels), ctx),
  conversations_select: (element, ctx, facts) =>
    menu(element, conversationsOf(element, ctx), element.initial_conversation, facts),
  multi_conversations_select: (element, ctx) =>
    multiMenu(element, conversationsOf(element, ctx), list(element.initial_conversations), ctx),
};

// The control of an element, or null where its kind has none here.
export function controlOf(element, ctx, facts) {
  const build = Object.hasOwn(KINDS, element?.type) ? KINDS[element.type] : null;
  return build ? build(element, ctx, facts) : null;
}

// Where tests, and the focus after an update, find a control.
export function mark(control, element, blockId) {
  const node = control.group ? control.node : control.focusable;
  node.dataset.blockId = blockId ?? "";
  node.dataset.actionId = element.action_id ?? "";
  return node;
}

function valuesOf(options) {
  return list(options).map((option) => option?.value);
}

// Options in groups; those without a group are one without a label.
function groupsOf(element) {
  if (element.option_groups) {
    return list(element.option_groups).map((group) => ({ label: group?.label, options: list(group?.options) }));
  }
  return [{ label: null, options: list(element.options) }];
}

function peopleOf(ctx) {
  const people = [...(ctx.people?.values() ?? [])].filter((person) => !person.deleted);
  return named(people.map((person) => [person.id, personWords(person)]));
}

function personWords(person) {
  return person.real_name && person.real_name !== person.name ? `${person.real_name} (${person.name})` : String(person.name);
}

function channelsOf(ctx) {
  const channels = [...(ctx.channels?.values() ?? [])].filter((c) => c.kind !== "im" && !c.archived);
  return named(channels.map((channel) => [channel.id, `#${channel.name}`]));
}

function conversationsOf(element, ctx) {
  const kinds = element.filter?.include ?? null;
  const wanted = (channel) => kinds === null || list(kinds).includes({ im: "im", group: "private" }[channel.kind] ?? "public");
  const channels = [...(ctx.channels?.values() ?? [])].filter((c) => !c.archived && wanted(c));
  return named(channels.map((channel) => [channel.id, channel.kind === "im" ? imWords(channel, ctx) : `#${channel.name}`]));
}

function imWords(channel, ctx) {
  const other = list(channel.members).find((id) => id !== ctx.me?.id) ?? ctx.me?.id;
  return `@${ctx.people?.get(other)?.name ?? channel.name ?? other}`;
}

function named(pairs) {
  const sorted = [...pairs].sort((a, b) => a[1].localeCompare(b[1]));
  return [{ label: null, options: sorted.map(([value, words]) => ({ value, text: { type: "plain_text", text: words, emoji: false } })) }];
}
