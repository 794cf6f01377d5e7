import { button, el, stack } from "../../el.js";
import { reach, same } from "../../plain.js";
import { HAS_WRITTEN_VIEW } from "../../written/has-view.js";
import { cell, IN_A_CELL } from "../cell.js";
import { gist, isBig, isTall } from "../nested.js";
import { renderValue } from "../value.js";
/** @import { Show } from "../show.js" */
/** @import { Changes, Known } from "./changes.js" */
/** @import { Column } from "./columns.js" */

/** A part of a hundred, which gets a bar. */
const SHARE = /^\d{1,2}([.,]\d+)?%$|^100%$/;

/**
 * Makes the rows of a table. What does not fit in a cell opens beneath its row.
 * @param {Known & { show: Show, changes: Changes, open: Set<string>, isShort: boolean }} table `open` is changed here, `isShort`: whether rows may stand beneath each other, each cell behind its label
 * @returns {(place: number, columns: Column[]) => DocumentFragment}
 */
export function rowMaker({ rows, ids, show, changes: { added, changed }, open, isShort }) {
  const { schema } = show.at(0);

  return (place, columns) => {
    const row = rows[place];
    const before = changed.get(place);
    const entry = show.at(ids[place], schema);
    const made = document.createDocumentFragment();
    const tr = el("tr");
    made.append(tr);
    tr.append(
      ...columns.map(({ key, path = [key], label, numeric, isShare, format }, i) => {
        const value = reach(row, key);
        const inner = path.reduce((show, name) => show.at(name), entry);
        const old = before && reach(before, key);
        const beneath = () =>
          el(
            "tr.detail",
            el(
              "td",
              { colspan: columns.length },
              stack(el("span.count", label), renderValue(value, inner, label, IN_A_CELL)),
            ),
          );
        const node = el(
          "td",
          { class: numeric && "end", "data-label": isShort && label },
          format?.(value, row) ??
            (isTall(value)
              ? opener(gist(value), beneath, tr, open, `${ids[place]}\n${key}`)
              : cell(value, inner)),
          added.has(place) && !i && mark("new", "new"),
          before && !same(old, value) && mark("changed", was(old, inner)),
        );
        const isDrawn = HAS_WRITTEN_VIEW && format && node.firstElementChild;
        if (isShare && !isDrawn && SHARE.test(`${node.textContent}`)) {
          node.className = "end percent";
          node.style.setProperty("--share", `${node.textContent}`.replace(",", "."));
        }
        return node;
      }),
    );
    return made;
  };
}

/**
 * The button that shows something beneath its row.
 * @param {string} words @param {() => HTMLElement} make
 * @param {HTMLElement} row @param {Set<string>} open @param {string} name of the cell, while it is open
 */
function opener(words, make, row, open, name) {
  /** @type {HTMLElement | undefined} */
  let detail;
  const set = (/** @type {boolean} */ on) => {
    open[on ? "add" : "delete"](name);
    detail?.remove();
    detail = on ? make() : undefined;
    if (detail) row.after(detail);
    toggle.ariaExpanded = `${on}`;
  };
  const toggle = button(words, () => set(!detail), { class: "opener" });
  set(open.has(name));
  return toggle;
}

/** A sign with words, for it is not the colour alone that tells. @param {string} look @param {string} words */
function mark(look, words) {
  return el("span", { class: `mark ${look}`, title: words }, el("span.unseen", ` (${words})`));
}

/** What a value was before. @param {any} value @param {Show} show */
export function was(value, show) {
  return isBig(value) ? "changed" : `was ${cell(value, show).textContent}`;
}
