import { linesOf, rowsFromText } from "./rows.js";
/** @import { Found } from "./read.js" */

/**
 * The table of a text whose columns are kept apart by blanks alone. Only under a head that is
 * underlined or in capitals, or with numbered rows, as consoles print them.
 * @param {string} text @returns {Found | undefined}
 */
export function alignedIn(text) {
  const lines = linesOf(text);
  const [first, second = ""] = lines;
  const ruled = /^-+ [- ]*$/.test(second.trim());
  const capitals = first === first.toUpperCase() && /[A-Z] {2,}\S/.test(first);
  if (!second || !(ruled || capitals || first[0] === " ")) return undefined;
  const columns = columnsOf(lines);
  const [head, ...rows] = lines.map((line) =>
    columns.map((start, i) => line.slice(start, columns[i + 1]).trim()),
  );
  const body = rows.slice(Number(ruled));
  const numbered = !head[0] && !!body[1] && body.every((row, i) => row[0] === `${i}`);
  if (
    !body.length ||
    columns.length < (ruled ? 2 : 3) ||
    !(ruled || capitals || numbered) ||
    head.slice(1).includes("")
  )
    return undefined;
  return [{ kind: "table", value: rowsFromText(head, body) }];
}

/** Where columns start: behind places that are blank in all lines, if the head has something there. @param {string[]} lines */
function columnsOf(lines) {
  /** @type {boolean[]} */
  const used = [];
  for (const line of lines) for (let i = 0; i < line.length; i++) used[i] ||= line[i] !== " ";
  return [...used.keys()]
    .filter((i) => used[i] && !used[i - 1])
    .filter((start, nth, starts) => {
      const [head, ...body] = lines.map((line) => line.slice(start, starts[nth + 1]).trim());
      return !nth || (head && (lines[0].startsWith("  ", start - 2) || body.some(Boolean)));
    });
}
