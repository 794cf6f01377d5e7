import { el, inLine, quietButton } from "../el.js";
import { isBranch, keysOf } from "../plain.js";
import { makeRow } from "./row.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Row } from "./row.js" */

/**
 * @typedef {object} RowSet rows that are added, removed and moved
 * @property {Row[]} rows in their order
 * @property {HTMLElement[]} elements
 * @property {() => Row} add
 * @property {() => void} clear
 * @property {(label: string, full: boolean) => void} number names everything by its place, and ends adding
 * @property {(text: string) => void} say
 *
 * @param {FieldSpec} spec of the list or map @param {boolean} keyed @param {() => void} changed is to call `number`
 * @returns {RowSet}
 */
export function rowSet(spec, keyed, changed) {
  /** @type {Row[]} */
  const rows = [];
  const holder = el("div.rows");
  const note = el("p.hint", { role: "status" });
  const add = () => {
    const row = makeRow(spec, keyed, { remove, move });
    rows.push(row);
    holder.append(row.element);
    return row;
  };
  const more = quietButton("Add", () => {
    const row = add();
    row.meant = isBranch(row.blank) ? keysOf(row.blank).length > 0 : row.blank !== undefined;
    changed();
    (row.key || row.field).focus();
  });
  const remove = (/** @type {Row} */ row) => {
    rows.splice(rows.indexOf(row), 1);
    row.element.remove();
    changed();
    more.focus();
  };
  const move = (/** @type {Row} */ row, /** @type {number} */ step) => {
    const to = rows.indexOf(row) + step;
    rows.splice(to - step, 1);
    rows.splice(to, 0, row);
    holder.insertBefore(row.element, rows[to + 1]?.element ?? null);
    changed();
    note.textContent = `Moved to place ${to + 1} of ${rows.length}`;
    // Where one way ends, its button is gone: the other takes the focus.
    const [first, other] = step < 0 ? [row.up, row.down] : [row.down, row.up];
    (rows[to + step] ? first : other).focus();
  };
  return {
    rows,
    elements: [holder, inLine(more, note)],
    add,
    clear() {
      holder.replaceChildren();
      rows.length = 0;
    },
    number(label, full) {
      more.ariaLabel = `Add to ${label}`;
      more.disabled = full;
      rows.forEach((row, i) => row.number(label, i + 1));
    },
    say(text) {
      note.textContent = text;
    },
  };
}
