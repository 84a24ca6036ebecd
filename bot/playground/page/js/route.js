// Where the page is, in its address: /?as=ana#C123 or #C123/1700000000.000100 (a thread) or #D123/home.

export const route = { as: null, channel: null, thread: null, tab: null };

const listeners = [];

function fromAddress() {
  const address = new URL(location.href);
  route.as = address.searchParams.get("as");
  const [channel, rest] = address.hash.slice(1).split("/");
  route.channel = channel || null;
  route.tab = ["home", "messages"].includes(rest) ? rest : null;
  route.thread = rest && !route.tab ? rest : null;
  // A link to a message, as chat.getPermalink gives it.
  const linked = /^\/archives\/([^/]+)\/p(\d+)(\d{6})$/.exec(address.pathname);
  if (linked) return fromPermalink(address, linked[1], `${linked[2]}.${linked[3]}`);
  return null;
}

function fromPermalink(address, channel, ts) {
  route.channel = channel;
  route.thread = address.searchParams.get("thread_ts");
  write("replaceState");
  return ts;
}

function write(how) {
  const address = new URL("/", location.href);
  if (route.as) address.searchParams.set("as", route.as);
  const rest = route.tab ?? route.thread;
  if (route.channel) address.hash = rest ? `${route.channel}/${rest}` : route.channel;
  history[how](null, "", address);
}

// Read the address; gives the time stamp of a message that it points to.
export function startRoute(changed) {
  listeners.push(changed);
  const linked = fromAddress();
  window.addEventListener("popstate", () => {
    fromAddress();
    changed();
  });
  return linked;
}

// Go somewhere: what is not named stays, but a new channel has neither a thread nor a tab yet.
export function go(where, { replace = false } = {}) {
  if (where.channel !== undefined && where.channel !== route.channel) Object.assign(route, { thread: null, tab: null });
  Object.assign(route, where);
  write(replace ? "replaceState" : "pushState");
  for (const changed of listeners) changed();
}
