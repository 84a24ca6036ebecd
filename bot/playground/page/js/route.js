// Where the page is, in its address: /?as=ana#C123 or #C123/1700000000.000100 (a thread) or #D123/home.

export const route = { as: null, channel: null, thread: null, tab: null };

const listeners = [];

// Whom one acted as last: for links that do not say it.
const LAST = "playground.as";

function fromAddress() {
  const address = new URL(location.href);
  route.as = address.searchParams.get("as") ?? localStorage.getItem(LAST);
  const [channel, rest] = address.hash.slice(1).split("/");
  route.channel = channel || null;
  route.tab = ["home", "messages"].includes(rest) ? rest : null;
  route.thread = rest && !route.tab ? rest : null;
  const linked = permalinked(address);
  if (!linked) return null;
  Object.assign(route, { channel: linked.channel, thread: linked.thread, tab: null });
  write("replaceState");
  return linked.ts;
}

// A link to a message, as chat.getPermalink gives it: {channel, thread, ts}; else null.
export function permalinked(address) {
  const found = /^\/archives\/([^/]+)\/p(\d+)(\d{6})$/.exec(address.pathname);
  if (!found || address.origin !== location.origin) return null;
  return { channel: found[1], thread: address.searchParams.get("thread_ts"), ts: `${found[2]}.${found[3]}` };
}

function write(how) {
  const address = new URL("/", location.href);
  if (route.as) {
    address.searchParams.set("as", route.as);
    localStorage.setItem(LAST, route.as);
  }
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
