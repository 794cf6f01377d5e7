import { nameWords, plural } from "../format.js";
import { lastWord } from "../meaning.js";
import { entriesOf, isArray, isPlain } from "../plain.js";
import { partsOf } from "./data.js";

/** So many rows need no count. */
const FEW = 8;

/**
 * What a result is, in a few words that its data says: how many of what; "" where it does not.
 * @param {any} result
 * @param {string} tool the tool's name, which may say what a list holds
 */
export function summaryOf(result, tool) {
  const [first, ...others] = partsOf(result).filter(({ kind }) => kind === "data" || kind === "text");
  if (!first || others.length) return "";
  const [reading, ...more] = first.readings ?? [];
  const value =
    first.kind === "data" ? first.value : more.length ? undefined : (reading?.value?.rows ?? reading?.value);
  if (isArray(value)) return counted(value, lastWord(tool));
  const lists = isPlain(value)
    ? entriesOf(value).filter(([, one]) => isArray(one) && (!one.length || one.some(isPlain)))
    : [];
  return lists.length === 1 ? counted(lists[0][1], lists[0][0]) : "";
}

/** @param {any[]} list @param {string} name what its entries are called, in the plural */
function counted(list, name) {
  // What a chart draws is called so.
  const known = /^[ -~]*[a-z]s$/i.test(name) && name !== "series";
  if (list.length <= (known ? 0 : FEW)) return "";
  const [one, many] = known
    ? [singular(nameWords(name)), nameWords(name)]
    : list.some(isPlain)
      ? ["row", "rows"]
      : ["item", "items"];
  return plural(list.length, one.toLowerCase(), many.toLowerCase());
}

/** @param {string} words */
function singular(words) {
  return /(ser|spec)ies$/i.test(words)
    ? words
    : words
        .replace(/(?<!mov)ies$/i, "y")
        .replace(/(s|x|ch|sh)es$/i, "$1")
        .replace(/([^s])s$/i, "$1");
}
