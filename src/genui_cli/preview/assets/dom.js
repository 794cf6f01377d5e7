// Building the page. Text only ever becomes text: what tools say is hostile until shown otherwise.

const SVG = "http://www.w3.org/2000/svg";

const SHAPES = {
  search: "M7 12.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11ZM11 11l3.5 3.5",
  play: "M4 2.5v11l9-5.5z",
  stop: "M3.5 3.5h9v9h-9z",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  reload: "M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 1.5v3h-3",
  frame: "M1.5 2.5h13v11h-13zM4.5 5.5h7v5h-7z",
  up: "M8 13V3M4 7l4-4 4 4",
  down: "M8 3v10M4 9l4 4 4-4",
};

/**
 * An element with attributes, listeners (`onclick: fn`) and children; `null` and `false` are left out.
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) set(element, key, value);
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else element.setAttribute(key, value === true ? "" : String(value));
}

/** A line icon; it says nothing to a screen reader, the words beside it do. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

/** Make `children` what `place` holds; those that stay are not taken out, so that a click or the focus in them is kept. */
export function arrange(place, children) {
  const stays = new Set(children);
  for (const child of [...place.childNodes]) if (!stays.has(child)) child.remove();
  children.forEach((child, at) => {
    if (place.childNodes[at] !== child) place.insertBefore(child, place.childNodes[at] ?? null);
  });
}

/** The one element of the page with this id. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}`);
  return found;
}

/** The elements of the page with these ids, by what a part calls them. */
export function parts(ids) {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, byId(id)]));
}
