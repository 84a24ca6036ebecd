// Times in words, on the acting person's clock.

import { store } from "./store.js";

const cache = new Map();

function format(options) {
  const zone = store.me?.tz;
  const key = `${zone} ${JSON.stringify(options)}`;
  if (!cache.has(key)) cache.set(key, formatter(options, zone));
  return cache.get(key);
}

function formatter(options, timeZone) {
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-US", options);
  }
}

const dateOf = (ts) => new Date(Number(ts) * 1000);

export function clock(ts) {
  return format({ hour: "numeric", minute: "2-digit" }).format(dateOf(ts));
}

// Where there is little room.
export function shortClock(ts) {
  return clock(ts).replace(/\s?[AP]M$/i, "");
}

export function dayKey(ts) {
  return format({ year: "numeric", month: "2-digit", day: "2-digit" }).format(dateOf(ts));
}

export function dayWords(ts) {
  const day = dayKey(ts);
  const now = Date.now() / 1000;
  if (day === dayKey(now)) return "Today";
  if (day === dayKey(now - 86400)) return "Yesterday";
  return format({ weekday: "long", month: "long", day: "numeric" }).format(dateOf(ts));
}

export function exact(ts) {
  return format({ dateStyle: "full", timeStyle: "medium" }).format(dateOf(ts));
}

export function whenWords(ts) {
  return `${dayWords(ts).toLowerCase()} at ${clock(ts)}`;
}

export function sizeWords(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
