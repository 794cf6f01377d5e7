import { nameWords, plural, shorten } from "../format.js";
import { lastWord } from "../meaning.js";
import { entriesOf, isArray, isPlain, string } from "../plain.js";
import { partsOf } from "./data.js";
import { isName } from "./naming.js";

/** Plurals that say nothing of what is in a list. */
const GENERIC = /^(items|results|rows|entries|records|values|objects|hits|matches)$/i;
const MOST = 40;
/** So many rows need no count. */
const FEW = 8;

/**
 * What a result is, in a few words that its data says: how many of what, or a name; "" where it says neither.
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
  if (lists.length === 1) return counted(lists[0][1], lists[0][0]);
  const [, name = ""] =
    (isPlain(value) && entriesOf(value).find(([key, one]) => isName(key) && string(one).trim())) || [];
  return name.length <= MOST ? shorten(name, MOST) : "";
}

/** @param {any[]} list @param {string} name what its entries are called, in the plural */
function counted(list, name) {
  const known = !GENERIC.test(name) && /[a-z]s$/i.test(name) && !/[^ -~]/.test(name);
  if (!known && list.length <= FEW) return "";
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
