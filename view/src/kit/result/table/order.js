import { collator } from "../../locale.js";
import { asText, isBranch, isNothing, isNumber, isString, reach } from "../../plain.js";
import { DECIMAL } from "../../schema/number.js";
import { gist } from "../nested.js";

/**
 * Finds and sorts rows by their places. What it works out about a column it keeps, so that even
 * 10,000 rows answer at once.
 * @param {any[]} rows
 */
export function rowOrder(rows) {
  /** @type {Map<string, number[]>} */
  const ranks = new Map();
  let searched = "";
  /** @type {string[]} */
  let texts = [];

  return {
    /**
     * The places of the rows that have all of the words in these columns.
     * @param {string} words @param {string[]} keys @returns {number[]}
     */
    find(words, keys) {
      const wanted = folded(words).split(/\s+/);
      const columns = words && keys.join("\n");
      if (columns && columns !== searched) {
        texts = rows.map((row) => folded(keys.map((key) => asText(reach(row, key) ?? "")).join("\n")));
        searched = columns;
      }
      const all = rows.map((_, i) => i);
      return columns ? all.filter((i) => wanted.every((word) => texts[i].includes(word))) : all;
    },

    /**
     * The same places in the order of a column; rows that have nothing there come last either way.
     * @param {number[]} places @param {string} key @param {number} sign 1 upwards, -1 downwards
     */
    sort(places, key, sign) {
      if (!ranks.has(key)) ranks.set(key, ranksOf(rows.map((row) => reach(row, key))));
      const rank = /** @type {number[]} */ (ranks.get(key));
      const [some, none] = [places.filter((i) => rank[i] >= 0), places.filter((i) => rank[i] < 0)];
      return [...some.sort((a, b) => sign * (rank[a] - rank[b])), ...none];
    },
  };
}

/** Without case and accents. @param {string} text */
function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Where each value stands among the others; -1 for nothing. @param {any[]} values @returns {number[]} */
function ranksOf(values) {
  const there = values.filter((value) => !isNothing(value));
  // Databases write decimals as text.
  const toKey = there.every((value) => (isNumber(value) ? value === value : DECIMAL.test(`${value}`.trim())))
    ? Number
    : sortKey;
  const { compare } = collator();
  const rank = new Map(
    [...new Set(there.map(toKey))].sort((a, b) => compareKeys(a, b, compare)).map((key, i) => [key, i]),
  );
  return values.map((value) => (isNothing(value) ? -1 : (rank.get(toKey(value)) ?? -1)));
}

/** @param {any} value @returns {number | string} */
function sortKey(value) {
  return isNumber(value) && value === value ? value : isBranch(value) ? gist(value) : asText(value);
}

/** Numbers by size and first, the rest as people read it. @param {any} a @param {any} b @param {(a: string, b: string) => number} compare */
function compareKeys(a, b, compare) {
  if (isNumber(a) && isNumber(b)) return a - b;
  return Number(isString(a)) - Number(isString(b)) || compare(a, b);
}
