// Light or dark: as the system has it, until somebody chooses.

import { icon } from "./icons.js";

const KEY = "playground.theme";
const root = document.documentElement;

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function startTheme(button) {
  const chosen = localStorage.getItem(KEY);
  if (chosen) root.dataset.theme = chosen;
  const draw = () => {
    const words = isDark() ? "Switch to light" : "Switch to dark";
    button.replaceChildren(icon(isDark() ? "sun" : "moon"));
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem(KEY, root.dataset.theme);
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
}
