import { isBranch, isNumber, isPlain, keysOf, list, parseJson, string } from "../../plain.js";
import { notFinite, pythonIn, withNotFinite } from "./python.js";
/** @import { Found } from "./read.js" */

/** Places where data may begin, tried before a text is taken for prose. */
const MAX_STARTS = 5;

/** What a number has in it that JavaScript cannot hold: too many digits, or too large an exponent. */
const LARGE = /\d{16}|\d\.\d{16}|\de[+-]?\d{3}/i;
/** Texts in JSON, and the numbers that are none in it, as many programs write them. */
const NOT_FINITE = /"(?:[^"\\]|\\[^])*"|[+-]?\b(?:NaN|Infinity|nan|inf)\b/g;

/**
 * @param {unknown} text
 * @returns {any} the JSON object or list that a text is, also inside one code fence; else undefined
 */
export function jsonIn(text) {
  const source = string(text)
    .trim()
    .replace(/^```(?:json)?\s*\n([^]*)\n```$/, "$1");
  const value = parseJson(source, LARGE.test(source) ? exactly : undefined) ?? notFiniteIn(source);
  return isBranch(value) ? value : undefined;
}

/** A number that JavaScript would round or lose stays as it is written. @param {string} _ @param {any} value @param {{ source?: string }} [context] which not all browsers tell */
function exactly(_, value, { source = "" } = {}) {
  if (!isNumber(value)) return value;
  const isLost = /^-?\d+$/.test(source)
    ? !Number.isSafeInteger(value)
    : digitsIn(source).length > 17 || (!value && /[1-9]/.test(source.split(/e/i)[0]));
  return (isLost || !Number.isFinite(value)) && source ? source : value;
}

/** The digits of a number that count. @param {string} source */
function digitsIn(source) {
  return source
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");
}

/** JSON in which numbers are not finite. @param {string} source */
function notFiniteIn(source) {
  if (!/^[[{]/.test(source) || !/nan|inf/i.test(source)) return undefined;
  return parseJson(
    source.replace(NOT_FINITE, (word) => (word[0] === '"' ? word : notFinite(word))),
    (key, value, context) => withNotFinite(key, exactly(key, value, context)),
  );
}

/** The data that a text is: JSON, one object of JSON on each line, or what Python writes. @param {string} text @returns {Found | undefined} */
export function dataIn(text) {
  const lines = text.trim();
  const value =
    jsonIn(lines) ??
    (lines[0] === "{" ? jsonIn(`[${lines.replace(/\n+/g, ",")}]`) : undefined) ??
    pythonIn(lines);
  return value && [{ kind: "data", value }];
}

/** The first data that a text holds on lines of their own, or behind a colon, outside code. @param {string} text @returns {Found | undefined} */
export function dataAmid(text) {
  for (const { 0: lead, index } of [...text.matchAll(/(?:^|:)[ \t]*(?=[[{])/gm)].slice(0, MAX_STARTS)) {
    const before = text.slice(0, index + lead.length);
    const rest = text.slice(before.length);
    for (const extent of before.split("```").length % 2 ? [/^.+/, /^(?:.*\n)+?[\]}]+(?=\s*\n|\s*$)/] : []) {
      const [piece = ""] = extent.exec(rest) ?? [];
      const value = jsonIn(piece) ?? pythonIn(piece);
      if (isTelling(value)) return [before, { kind: "data", value }, rest.slice(piece.length)];
    }
  }
  return undefined;
}

/** Whether a value is data rather than a word in brackets. @param {any} value */
function isTelling(value) {
  return isBranch(value) && keysOf(value).length > 0 && (isPlain(value) || list(value).some(isBranch));
}
