// Line icons, drawn from paths.

const PATHS = {
  hash: "M7.5 3 6 17M14 3l-1.5 14M3.5 7.5h13.5M3 12.5h13.5",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  close: "m5 5 10 10M15 5 5 15",
  smile: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM7.2 8v.5M12.8 8v.5M6.7 11.800c1.5 2.3 5.1 2.3 6.6 0",
  reply: "M17 9.5c0 3.6-3.1 6-7 6-.9 0-1.7-.1-2.5-.3L3.5 17l.9-3.300A5.7 5.7 0 0 1 3 9.5c0-3.6 3.1-6 7-6s7 2.4 7 6z",
  pencil: "m4 16 .7-3.200L13.3 4.200a1.4 1.4 0 0 1 2 0l.5.5a1.4 1.4 0 0 1 0 2L7.2 15.300zM12 5.5l2.5 2.5",
  trash: "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5 6.3 16h7.400l.8-10.5M8.5 8.5v4.5M11.5 8.5v4.5",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.700a3 3 0 0 0-4.3-4.300l-.9.9M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.700a3 3 0 0 0 4.3 4.300l.9-.9",
  clip: "m15.5 9.5-5.7 5.700a3.5 3.5 0 0 1-5-5l6.2-6.200a2.3 2.3 0 0 1 3.3 3.300l-6 6a1.1 1.1 0 0 1-1.6-1.600l5.3-5.3",
  send: "M3.5 3.5 17 10 3.5 16.5l1.7-6.5zM5.2 10H10",
  at: "M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm0-3v4.200c0 2.6 4 2.3 4-1.200a7 7 0 1 0-2.8 5.6",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.300l1.1 1.100M14.6 14.600l1.1 1.100M4.3 15.700l1.1-1.100M14.6 5.400l1.1-1.1",
  moon: "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z",
  down: "m6 8 4 4 4-4",
  back: "M12 4.5 6.5 10l5.5 5.5",
  eye: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  file: "M5 2.5h6.5L15 6v11.5H5zM11 2.5V6.5h4",
  download: "M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13",
  book: "M4 3.5h9.5a2 2 0 0 1 2 2v11H6a2 2 0 0 1-2-2zM4 14.5a2 2 0 0 1 2-2h9.5",
  bot: "M5 7h10v8H5zM10 7V4M8 10.5v1M12 10.5v1M2.5 10v2.5M17.5 10v2.5",
  plus: "M10 4v12M4 10h12",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
};

const SVG = "http://www.w3.org/2000/svg";

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = {
    viewBox: "0 0 20 20", class: "icon", fill: "none", stroke: "currentColor", "stroke-width": "1.6",
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true",
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
