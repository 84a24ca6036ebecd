// What is known of the workspace, as the acting person sees it.

import { get } from "./api.js";

const SLACKBOT = { id: "USLACKBOT", name: "slackbot", real_name: "Slackbot", is_bot: true };

export const store = {
  me: null,
  bot: null,
  online: false,
  team: { domain: "" },
  people: new Map(),
  channels: new Map(),
  commands: [],
  tabs: { home: false, messages: true },
  home: null,
  modals: [],
  welcome: "",
};

// Read everything that surrounds a conversation. The person is a name, an id, or null for the first one.
export async function load(who) {
  const told = await get("page", { user: who });
  store.me = told.me;
  store.team = told.team;
  store.online = told.online;
  store.people = new Map([...told.people, SLACKBOT].map((person) => [person.id, person]));
  store.bot = store.people.get(told.bot);
  store.channels = new Map(told.channels.map((channel) => [channel.id, channel]));
  store.commands = told.commands;
  store.tabs = { home: told.home_tab, messages: told.messages_tab };
  store.home = told.home;
  store.modals = told.modals;
  store.welcome = told.welcome;
}

export function person(id) {
  return store.people.get(id) ?? { id, name: id, real_name: id };
}

export function named(id) {
  const known = person(id);
  return known.real_name || known.name;
}

// The conversation with the app.
export function direct() {
  return [...store.channels.values()].find((channel) => channel.kind === "im");
}

export function firstChannel() {
  const channels = [...store.channels.values()].filter((channel) => channel.kind !== "im");
  return channels.find((channel) => channel.member) ?? channels[0] ?? direct();
}

export function titleOf(channel) {
  return channel.kind === "im" ? store.bot.real_name : channel.name;
}
