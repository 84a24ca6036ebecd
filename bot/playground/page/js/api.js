// Requests to the control API.

// What the server refused, in its words.
export class RefusedError extends Error {}

// The server was not there.
export class AwayError extends Error {
  constructor() {
    super("The playground does not answer.");
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(`/control/${path}`, options);
  } catch {
    throw new AwayError();
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new RefusedError(told.error ?? `The playground answered ${response.status}.`);
  return told;
}

export function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return request(`${path}?${new URLSearchParams(given)}`);
}

// Do something as a person.
export function act(verb, body) {
  return request(`act/${verb}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
}

// Send files, with words beside them; without a channel they are only kept.
export function upload(fields, files) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value);
  for (const file of files) form.append("file", file, file.name || "pasted.png");
  return request("act/upload", { method: "POST", body: form });
}

export function fileUrl(id) {
  return `/control/files/${encodeURIComponent(id)}`;
}
