import { linesOf } from "./rows.js";
/** @import { Found } from "./read.js" */

/** The sign in front of one name among others. */
const MARKED = /^( *)(\*|[-=]?>|[\u2192\u25cf\u276f\u25b6]) +(?=\S)/;
/** Behind `*`, which also begins items of lists: one word, perhaps with more in a column of its own. */
const WORD = /^\S+(\s*$| {2}| ->| \()/;
const LONGEST = 60;

/**
 * A list of names in which a sign marks the current one, as programs print it: the others stand as far to the right.
 * @param {string} text @returns {Found | undefined}
 */
export function markedIn(text) {
  const lines = linesOf(text);
  const at = lines.findIndex((line) => MARKED.test(line));
  const [head = "", , mark] = MARKED.exec(lines[at] ?? "") ?? [];
  const isEntry = (/** @type {string} */ line, /** @type {number} */ i) => {
    const name = line.slice(head.length);
    return (
      (i === at || !line.slice(0, head.length).trim()) &&
      /^\S/.test(name) &&
      name.length <= LONGEST &&
      (mark === "*" ? WORD.test(name) : !/[.:;,!?]$/.test(name))
    );
  };
  if (!head || lines.length < 2 || !lines.every(isEntry)) return undefined;
  return [
    {
      kind: "data",
      value: lines.map((line, i) => ({
        name: line.slice(head.length).trim(),
        ...(i === at && { status: "current" }),
      })),
    },
  ];
}
