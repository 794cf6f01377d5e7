import { button, el } from "../el.js";
import { shorten } from "../format.js";

const PAGE = 100;
const MAX_TEXT = 20_000;

/**
 * Any JSON value as a tree that unfolds. Branches are made when they are opened.
 * @param {any} value
 * @param {number} [open] how many levels are open at first
 * @returns {HTMLElement}
 */
export function jsonTree(value, open = 1) {
  if (value === null || typeof value !== "object") return el("div", { class: "tree" }, scalar(value));
  return el("div", { class: "tree" }, children(value, open));
}

/** @param {any} value @param {number} open */
function children(value, open) {
  const entries = Object.entries(value);
  const holder = el("ul", null);
  let shown = 0;
  const more = button("", () => grow(), { class: "quiet small" });
  const grow = () => {
    const page = entries.slice(shown, shown + PAGE);
    holder.append(...page.map(([key, one]) => el("li", null, branch(key, one, open - 1))));
    shown += page.length;
    more.textContent = `Show ${Math.min(PAGE, entries.length - shown)} more of ${entries.length}`;
    if (shown >= entries.length) more.remove();
  };
  const nodes = [holder, more];
  grow();
  return nodes.filter((node) => node === holder || shown < entries.length);
}

/** @param {string} key @param {any} value @param {number} open */
function branch(key, value, open) {
  const name = el("span", { class: "key", dir: "auto" }, key);
  if (value === null || typeof value !== "object") return el("div", { class: "leaf" }, name, " ", scalar(value));
  const size = Object.keys(value).length;
  const note = Array.isArray(value) ? `[${size}]` : `{${size}}`;
  const details = el("details", { open: open > 0 && size <= 20 }, el("summary", null, name, " ", el("span", { class: "none" }, note)));
  const fill = () => { if (details.childElementCount === 1) details.append(...children(value, open)); };
  if (details.open) fill();
  details.addEventListener("toggle", fill);
  return details;
}

/** @param {any} value */
function scalar(value) {
  if (typeof value !== "string") return el("span", { class: value === null ? "none" : "number" }, String(value));
  const text = value.length > MAX_TEXT ? shorten(value, MAX_TEXT) : value;
  return el("span", { class: "string", dir: "auto" }, text);
}
