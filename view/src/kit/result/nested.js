import { plural, shorten } from "../format.js";
import { asText, entriesOf, isArray, isBranch, isPlain, isString, keysOf } from "../plain.js";
import { nameKey } from "./naming.js";

/** Longer texts, and longer lists even of plain values, do not fit in a cell. */
const MAX_TEXT = 300;
const MAX_LINES = 4;
const MAX_LIST = 100;
const MAX_GIST = 40;

/** Whether a value takes more room than a cell or a line has. @param {unknown} value */
export function isBig(value) {
  if (isString(value)) return value.length > MAX_TEXT || value.split("\n", MAX_LINES + 1).length > MAX_LINES;
  return isBranch(value) && keysOf(value).length > 0 && !isPlainList(value);
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
  if (isString(value)) return shorten(value, 100);
  if (!isArray(value)) return shorten(nameIn(value) || entriesOf(value).map(([key, one]) => (isBig(one) ? key : `${key}: ${asText(one)}`)).join(", "), MAX_GIST);
  const names = value.slice(0, 4).map((one) => (isPlain(one) ? nameIn(one) : isBranch(one) ? "" : asText(one))).filter(Boolean).join(", ");
  return names ? `${value.length}: ${shorten(names, MAX_GIST)}` : plural(value.length, "entry", "entries");
}

/** @param {import("../plain.js").Plain} thing */
function nameIn(thing) {
  const key = nameKey(thing);
  return key === undefined ? "" : `${thing[key]}`;
}
