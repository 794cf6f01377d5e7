import { button, el, fold } from "../el.js";
import { shorten } from "../format.js";
import { asText, isArray, isBranch, isPlain, isString, keysOf } from "../plain.js";
import { jsonTree } from "./tree.js";
/** @import { Show } from "./show.js" */

/** Up to this many characters a text stays on one line. */
const SHORT = 24;

/**
 * One value in a table cell or a key/value list: short things as they are, the rest folded.
 * @param {any} value
 * @param {Show} show
 * @returns {Node}
 */
export function cell(value, show) {
  if (value === null || value === undefined) return el("span.none", "\u2013");
  if (isString(value)) return textCell(value, show);
  if (!isBranch(value)) return el(typeof value === "number" ? "span.number" : "span.badge", String(value));
  const plainList = isArray(value) && value.length <= 12 && !value.some(isBranch);
  return plainList ? el("span", value.map(asText).join(", ") || "(none)") : folded(value);
}

/** @param {string} text @param {Show} show */
function textCell(text, show) {
  if (/^https?:\/\/\S+$/i.test(text) && text.length < 2000) return linkButton(text, text, show);
  if (text.length > 300) return fold(shorten(text, 160), () => [el("pre.text", text.slice(0, show.limit))]);
  return el(text.length > SHORT ? "span.string" : "span.string.short", text);
}

/** A link that the host opens. @param {string} url @param {string} words @param {Show} show */
export function linkButton(url, words, show) {
  return button(words, () => show.openLink(url), { class: "link", role: "link", title: url });
}

/** @param {any} value */
function folded(value) {
  const keys = keysOf(value);
  const summary = isPlain(value) ? `{${keys.length}} ${shorten(keys.slice(0, 3).join(", "), 40)}` : `[${keys.length}]`;
  return fold(summary, () => [jsonTree(value)]);
}
