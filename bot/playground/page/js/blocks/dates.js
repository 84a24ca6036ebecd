// Slack's date tokens, in a reader's own time zone.

// The calendar parts of an instant in a zone; UTC where the zone is not known.
function partsIn(seconds, zone) {
  const options = {
    timeZone: zone, hourCycle: "h23", weekday: "long", year: "numeric", month: "long", day: "numeric",
    hour: "numeric", minute: "2-digit", second: "2-digit",
  };
  let format;
  try {
    format = new Intl.DateTimeFormat("en-US", options);
  } catch {
    format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
  const parts = Object.fromEntries(format.formatToParts(new Date(seconds * 1000)).map((p) => [p.type, p.value]));
  const month = new Date(`${parts.month} 1, 2000`).getMonth() + 1;
  return { ...parts, month: parts.month, monthNumber: month, day: Number(parts.day), hour: Number(parts.hour) };
}

const two = (n) => String(n).padStart(2, "0");

function ordinal(n) {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th")}`;
}

function clock(at, seconds) {
  const hour = at.hour % 12 || 12;
  return `${hour}:${at.minute}${seconds ? `:${at.second}` : ""} ${at.hour < 12 ? "AM" : "PM"}`;
}

function dayNumber(at) {
  return Date.UTC(Number(at.year), at.monthNumber - 1, at.day) / 86_400_000;
}

function near(at, now) {
  return { "-1": "yesterday", 0: "today", 1: "tomorrow" }[dayNumber(at) - dayNumber(now)] ?? null;
}

function ago(seconds, nowS) {
  const away = Math.abs(nowS - seconds);
  const [size, unit] = [[86_400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]].find(([s]) => away >= s) ?? [1, "second"];
  const n = Math.floor(away / size);
  const words = `${n} ${unit}${n === 1 ? "" : "s"}`;
  return seconds <= nowS ? `${words} ago` : `in ${words}`;
}

// The tokens (docs.slack.dev: messaging/formatting-message-text#date-formatting, and the rich text date element).
const TOKENS = {
  date_num: (at) => `${at.year}-${two(at.monthNumber)}-${two(at.day)}`,
  date_slash: (at) => `${two(at.monthNumber)}/${two(at.day)}/${at.year}`,
  date: (at, far) => `${at.month} ${ordinal(at.day)}${far ? `, ${at.year}` : ""}`,
  date_short: (at, far) => `${at.month.slice(0, 3)} ${at.day}${far ? `, ${at.year}` : ""}`,
  date_long: (at) => `${at.weekday}, ${at.month} ${ordinal(at.day)}, ${at.year}`,
  date_long_full: (at) => `${at.month} ${at.day}, ${at.year}`,
  time: (at) => clock(at, false),
  time_secs: (at) => clock(at, true),
};

// `format` with its tokens filled in for the reader, or null where it is no instant.
// The year is left out of short dates that are less than half a year away.
export function formatDate(seconds, format, zone, nowS = Date.now() / 1000) {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 8.6e12) return null;
  const at = partsIn(seconds, zone);
  const now = partsIn(nowS, zone);
  const far = Math.abs(nowS - seconds) > 183 * 86_400;
  return String(format).replace(/\{([a-z_]+)\}/g, (whole, token, place) => {
    const words = filled(token, whole);
    // At the beginning Slack writes a capital: "Today 3:10 PM".
    return place === 0 ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  });

  function filled(token, whole) {
    if (token === "ago") return ago(seconds, nowS);
    if (token === "day_divider_pretty") {
      const long = TOKENS.date_long(at);
      return near(at, now) ?? (at.year === now.year ? long.slice(0, long.lastIndexOf(",")) : long);
    }
    const pretty = token.endsWith("_pretty");
    const bare = pretty ? token.slice(0, -"_pretty".length) : token;
    if (!Object.hasOwn(TOKENS, bare)) return whole;
    return (pretty && near(at, now)) || TOKENS[bare](at, far);
  }
}

// An instant as the whole date with its zone, for a tooltip.
export function exactDate(seconds, zone) {
  return formatDate(seconds, "{date_long} {time_secs}", zone);
}

// "2026-05-01T12:30" on the clock of a zone, as an instant in seconds; null where it is none.
export function instantOf(local, zone) {
  const guess = Date.parse(`${local}Z`) / 1000;
  if (Number.isNaN(guess)) return null;
  const offset = (s) => Date.parse(`${localOf(s, zone)}Z`) / 1000 - s;
  // Twice, because the offset at the guess may be that of the other side of a change of clocks.
  const once = guess - offset(guess);
  return guess - offset(once);
}

// An instant as a zone's clock shows it, in the form that date inputs take.
export function localOf(seconds, zone) {
  const at = partsIn(seconds, zone);
  return `${String(at.year).padStart(4, "0")}-${two(at.monthNumber)}-${two(at.day)}T${two(at.hour)}:${at.minute}`;
}
