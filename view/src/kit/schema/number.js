import { abs, max, round } from "../plain.js";

/** A decimal number as people type it. */
export const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The number in a text, exactly: what is sent has the digits that were typed.
 * @param {string} text
 * @returns {{ value: number } | { problem: string }}
 */
export function parseNumber(text) {
  const digits = text.trim();
  const value = Number(digits);
  if (!DECIMAL.test(digits)) return { problem: "Enter a number, such as 12 or 0.5." };
  if (!Number.isFinite(value)) return { problem: "This number is too large." };
  if (canonical(digits) === canonical(`${value}`)) return { value };
  return { problem: "This number has more digits than can be sent exactly." };
}

/** The one way to write a decimal number: its digits from the first to the last that is not 0, and the power of ten. @param {string} text */
function canonical(text) {
  const [, sign, whole, fraction, power] = /** @type {string[]} */ (
    /^([+-]?)(\d*)\.?(\d*)(?:e(.+))?$/i.exec(text)
  );
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  return (
    significant &&
    `${sign === "-" ? sign : ""}${significant}e${Number(power ?? 0) - fraction.length + digits.length - significant.length}`
  );
}

/**
 * Why a number in JSON text would not arrive as it is written.
 * @param {string} text valid JSON
 * @returns {string} "" when all do
 */
export function inexactNumber(text) {
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|-?\d[\d.e+-]*/gi)) {
    const read = token[0] === '"' ? {} : parseNumber(token);
    if ("problem" in read) return `${token.slice(0, 40)}: ${read.problem}`;
  }
  return "";
}

/**
 * Whether a number is a multiple, for decimal steps too (0.3 is a multiple of 0.1).
 * @param {number} value @param {number} step
 */
export function isMultiple(value, step) {
  const quotient = value / step;
  return step <= 0 || abs(quotient - round(quotient)) < 1e-9 * max(1, abs(quotient));
}
