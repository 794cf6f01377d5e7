import { plural, shorten } from "../format.js";
import {
  asText,
  entriesOf,
  isArray,
  isBranch,
  isNumber,
  isPlain,
  isString,
  keysOf,
  plain,
} from "../plain.js";
import { nameKey } from "./naming.js";

/** Longer texts, and longer lists even of plain values, do not fit beside their name. */
const MAX_TEXT = 300;
const MAX_LINES = 4;
const MAX_LIST = 100;
const MAX_GIST = 40;
const SHOWN = 4;
/** Three lines of a table's cell. Taller rows would show mostly their empty cells. */
const CELL_TEXT = 132;
const CELL_LINES = 3;

/** Whether a value takes more room than there is beside its name. @param {unknown} value */
export function isBig(value) {
  return isLong(value, MAX_TEXT, MAX_LINES);
}

/** Whether a value takes more room than a cell of a table has. @param {unknown} value */
export function isTall(value) {
  return isLong(value, CELL_TEXT, CELL_LINES);
}

/** @param {any} value @param {number} length @param {number} lines @returns {boolean} */
function isLong(value, length, lines) {
  if (isString(value)) return value.length > length || value.split("\n", lines + 1).length > lines;
  return isBranch(value) && keysOf(value).length > 0 && !isPlainList(value);
}

/** The only member of an object, if that is a number. @param {any} value */
export function soleKey(value) {
  const [key, ...others] = keysOf(plain(value));
  return others.length || !isNumber(value?.[key]) ? undefined : key;
}

/** @param {any} value */
function isPlainList(value) {
  return isArray(value) && !value.some(isBranch) && asText(value).length <= MAX_LIST;
}

/**
 * One line of what is in a value that is folded.
 * @param {any} value a text, object or list
 * @returns {string}
 */
export function gist(value) {
  if (isString(value)) return shorten(value, MAX_GIST * 2);
  if (!isArray(value))
    return shorten(
      nameIn(value) ||
        entriesOf(value)
          .map(([key, one]) => (isBig(one) ? key : `${key}: ${asText(one)}`))
          .join(", "),
      MAX_GIST,
    );
  const names = value
    .slice(0, SHOWN)
    .map((one) => (isPlain(one) ? nameIn(one) : isBranch(one) ? "" : asText(one)))
    .filter(Boolean)
    .join(", ");
  return names
    ? `${value.length}: ${shorten(value.length > SHOWN ? `${names}, \u2026` : names, MAX_GIST)}`
    : plural(value.length, "entry", "entries");
}

/** @param {import("../plain.js").Plain} thing */
function nameIn(thing) {
  const key = nameKey(thing);
  return key === undefined ? "" : `${thing[key]}`;
}
