import { el } from "../../el.js";
import { entriesOf, max } from "../../plain.js";

/** Signs as wide as two, as in Chinese or Japanese. */
const WIDE = /[%\u2e80-\uffff]/g;
/** A common letter, in pixels. */
export const LETTER = 7.3;

/** An SVG element. @type {(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]) => SVGElement} */
export const svg = /** @type {any} */ (el);

/** @param {Element} node @param {Record<string, string | number>} attributes */
export function setAll(node, attributes) {
  for (const [name, value] of entriesOf(attributes)) node.setAttribute(name, `${value}`);
}

/** About how wide a text of a chart is, in pixels, without asking the page to lay it out. @param {string} text */
export function textWidth(text) {
  return text.replace(WIDE, "MM").length * LETTER;
}

/** @param {string[]} texts */
export function widest(texts) {
  return max(...texts.map(textWidth));
}

/**
 * A straight way from values to pixels; the middle where there is but one value.
 * @param {number} low @param {number} high @param {number} from @param {number} to
 * @returns {(value: number) => number}
 */
export function between(low, high, from, to) {
  return (value) => (high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from));
}
