import { el, fold, inLine, quietButton, stack } from "../el.js";
import { entriesOf, isArray, isBranch, isString, keysOf, min } from "../plain.js";
/** @import { Show } from "./show.js" */

const PAGE = 100;
const MAX_TEXT = 20_000;
/** So many branches open at once. */
const MAX_BRANCHES = 500;

/**
 * Any JSON value as a tree that unfolds. Branches begin closed, are made when they are opened, and stay as a
 * person left them when another value comes to the same place.
 * @param {any} value
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function jsonTree(value, show) {
  if (!isBranch(value)) return el("div.tree", scalar(value));
  const state = show.remember("tree", {
    all: false,
    open: /** @type {Map<string, boolean>} */ (new Map()),
  });
  const holder = stack(null);
  let left = 0;

  /** @param {any} branch @param {string} path */
  const children = (branch, path) => {
    const entries = entriesOf(branch);
    const list = el("ul");
    const more = quietButton("", () => grow());
    const grow = () => {
      const shown = list.childElementCount;
      list.append(
        ...entries
          .slice(shown, shown + PAGE)
          .map(([key, one]) => el("li", member(key, one, `${path}/${key}`))),
      );
      const rest = entries.length - list.childElementCount;
      more.textContent = `Show ${min(PAGE, rest)} more of ${entries.length}`;
      more.hidden = !rest;
    };
    grow();
    return [list, more];
  };
  /** @param {string} key @param {any} one @param {string} path */
  const member = (key, one, path) => {
    const name = el("span.key", key);
    if (!isBranch(one)) return el("div", name, " ", scalar(one));
    const size = keysOf(one).length;
    const open = left > 0 && (state.open.get(path) ?? state.all);
    if (open) left--;
    const details = fold(
      [name, " ", el("span.none", isArray(one) ? `[${size}]` : `{${size}}`)],
      () => children(one, path),
      open,
    );
    details.addEventListener("toggle", () => {
      if (details.open !== open || state.open.has(path)) state.open.set(path, details.open);
    });
    return details;
  };
  const draw = () => {
    left = MAX_BRANCHES;
    holder.replaceChildren(...children(value, ""));
  };
  const setAll = (/** @type {boolean} */ all) => {
    state.all = all;
    state.open.clear();
    draw();
  };
  draw();
  const deep = entriesOf(value).some(([, one]) => isBranch(one) && keysOf(one).length);
  return el(
    "div.tree",
    deep &&
      inLine(
        quietButton("Expand all", () => setAll(true)),
        quietButton("Collapse all", () => setAll(false)),
      ),
    holder,
  );
}

/** @param {any} value */
function scalar(value) {
  if (!isString(value)) return el(value === null ? "span.none" : "span.number", String(value));
  return el("span.string", value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}\u2026` : value);
}
