import { el, fold, inLine, quietButton } from "../el.js";
import { entriesOf, isArray, isBranch, keysOf, min } from "../plain.js";
import { Show } from "./show.js";

const PAGE = 100;
const MAX_TEXT = 20_000;
/** A branch with more entries than this begins closed. */
const MAX_OPEN = 20;
/** So many branches open at once. */
const MAX_BRANCHES = 500;

/**
 * Any JSON value as a tree that unfolds. Branches are made when they are opened, and stay as a
 * person left them when another value comes to the same place.
 * @param {any} value
 * @param {Show} [show]
 * @param {number} [levels] how many are open at first
 * @returns {HTMLElement}
 */
export function jsonTree(value, show = new Show(), levels = 1) {
  if (!isBranch(value)) return el("div.tree", scalar(value));
  const state = show.remember("tree", {
    all: /** @type {boolean | undefined} */ (undefined),
    open: /** @type {Map<string, boolean>} */ (new Map()),
  });
  const holder = el("div.stack");
  let left = 0;

  /** @param {any} branch @param {string} path @param {number} depth */
  const children = (branch, path, depth) => {
    const entries = entriesOf(branch);
    const list = el("ul");
    const more = quietButton("", () => grow());
    const grow = () => {
      const shown = list.childElementCount;
      list.append(
        ...entries
          .slice(shown, shown + PAGE)
          .map(([key, one]) => el("li", member(key, one, `${path}/${key}`, depth))),
      );
      const rest = entries.length - list.childElementCount;
      more.textContent = `Show ${min(PAGE, rest)} more of ${entries.length}`;
      more.hidden = !rest;
    };
    grow();
    return [list, more];
  };
  /** @param {string} key @param {any} one @param {string} path @param {number} depth */
  const member = (key, one, path, depth) => {
    const name = el("span.key", key);
    if (!isBranch(one)) return el("div", name, " ", scalar(one));
    const size = keysOf(one).length;
    const open = left > 0 && (state.open.get(path) ?? state.all ?? (depth < levels && size <= MAX_OPEN));
    if (open) left--;
    const details = fold(
      [name, " ", el("span.none", isArray(one) ? `[${size}]` : `{${size}}`)],
      () => children(one, path, depth + 1),
      open,
    );
    details.addEventListener("toggle", () => {
      if (details.open !== open || state.open.has(path)) state.open.set(path, details.open);
    });
    return details;
  };
  const draw = () => {
    left = MAX_BRANCHES;
    holder.replaceChildren(...children(value, "", 1));
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
  if (typeof value !== "string") return el(value === null ? "span.none" : "span.number", String(value));
  return el("span.string", value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}\u2026` : value);
}
