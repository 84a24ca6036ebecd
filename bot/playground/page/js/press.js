// A press that has begun ends on what it began on: nothing is drawn anew under it.

const LONGEST_MS = 1000;

let down = false;
let waiting = [];

function release() {
  down = false;
  // The click comes right after the release, and before what has waited.
  const now = waiting;
  waiting = [];
  setTimeout(() => now.forEach((go) => go()));
}

document.addEventListener("pointerdown", () => {
  down = true;
}, true);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release, true);

// Once nothing is pressed, or has been for too long.
export function released() {
  if (!down) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.push(resolve);
    setTimeout(resolve, LONGEST_MS);
  });
}
