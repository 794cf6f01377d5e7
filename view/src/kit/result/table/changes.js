import { entriesOf, max, own, same } from "../../plain.js";

/**
 * @typedef {{ rows: any[], by: string | undefined, ids: string[] }} Known rows and what tells them apart
 *
 * @typedef {object} Changes what is different from the run before
 * @property {Set<number>} added places of new rows
 * @property {Map<number, any>} changed places of rows that were different, with what they were
 * @property {string} words "3 changed, 1 new", or ""
 */

/** @type {Changes} */
const NONE = { added: new Set(), changed: new Map(), words: "" };

/**
 * Compares rows with those of the run before. A hint, so it is silent where nearly everything is
 * different: then it is the answer to another question.
 * @param {Known | undefined} before
 * @param {Known} now
 * @param {string[]} keys
 * @returns {Changes}
 */
export function changesSince(before, now, keys) {
  if (!before || before.by !== now.by || (!now.by && before.rows.length !== now.rows.length)) return NONE;
  const known = new Map(before.ids.map((id, i) => [id, before.rows[i]]));
  const added = new Set();
  const changed = new Map();
  let cells = 0;
  now.rows.forEach((row, i) => {
    const old = known.get(now.ids[i]);
    if (!old) return added.add(i);
    const count = keys.filter((key) => !same(own(old, key), own(row, key))).length;
    if (count) changed.set(i, old);
    cells += count;
  });
  const met = now.rows.length - added.size;
  if (met * 2 < max(before.rows.length, now.rows.length) || cells * 2 > met * keys.length) return NONE;
  const counts = { changed: changed.size, new: added.size, gone: before.rows.length - met };
  const words = entriesOf(counts)
    .filter(([, count]) => count)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
  return { added, changed, words };
}
