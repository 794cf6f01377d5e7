import { el, fold, quietButton } from "../el.js";
import { shorten } from "../format.js";
import { entriesOf, isArray, isBranch, keysOf } from "../plain.js";

const PAGE = 100;
const MAX_TEXT = 20_000;

/**
 * Any JSON value as a tree that unfolds. Branches are made when they are opened.
 * @param {any} value
 * @param {number} [open] how many levels are open at first
 * @returns {HTMLElement}
 */
export function jsonTree(value, open = 1) {
  return el("div.tree", isBranch(value) ? children(value, open) : scalar(value));
}

/** @param {any} value @param {number} open */
function children(value, open) {
  const entries = entriesOf(value);
  const holder = el("ul");
  const more = quietButton("", () => grow());
  const grow = () => {
    const shown = holder.childElementCount;
    holder.append(...entries.slice(shown, shown + PAGE).map(([key, one]) => el("li", branch(key, one, open - 1))));
    const left = entries.length - holder.childElementCount;
    more.textContent = `Show ${Math.min(PAGE, left)} more of ${entries.length}`;
    more.hidden = !left;
  };
  grow();
  return [holder, more];
}

/** @param {string} key @param {any} value @param {number} open */
function branch(key, value, open) {
  const name = el("span.key", key);
  if (!isBranch(value)) return el("div", name, " ", scalar(value));
  const size = keysOf(value).length;
  const count = el("span.none", isArray(value) ? `[${size}]` : `{${size}}`);
  return fold([name, " ", count], () => children(value, open), open > 0 && size <= 20);
}

/** @param {any} value */
function scalar(value) {
  if (typeof value !== "string") return el(value === null ? "span.none" : "span.number", String(value));
  return el("span.string", value.length > MAX_TEXT ? shorten(value, MAX_TEXT) : value);
}
