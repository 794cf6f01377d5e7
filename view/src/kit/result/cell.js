import { button, el } from "../el.js";
import { asText, isBranch, isString } from "../plain.js";
import { keptFold } from "./fold.js";
import { image } from "./media.js";
import { gist, isBig } from "./nested.js";
import { pictureIn } from "./recognise/picture.js";
import { badge, moment, numeral } from "./scalar.js";
import { renderValue } from "./value.js";
/** @import { Show } from "./show.js" */

/** Up to this many characters a text stays on one line. */
const SHORT = 24;
/** So deep that nothing in it gets a part of the page to itself. */
export const IN_A_CELL = 3;

/**
 * One value in a table cell or a key/value list: short things as they are, the rest folded.
 * @param {any} value
 * @param {Show} show
 * @returns {Node}
 */
export function cell(value, show) {
  if (value === null || value === undefined) return el("span.none", "\u2013");
  if (typeof value === "boolean") return badge(value ? "Yes" : "No");
  if (isBig(value)) return folded(value, show);
  if (isBranch(value)) return el("span", Object.values(value).map(asText).join(", ") || "(none)");
  return moment(value, show) ?? (isString(value) ? textCell(value, show) : numeral(value, show));
}

/** @param {string} text @param {Show} show */
function textCell(text, show) {
  const picture = pictureIn(text);
  if (picture) return image(picture, show);
  if (/^https?:\/\/\S+$/i.test(text) && text.length < 2000) return linkButton(text, text, show);
  return el(text.length > SHORT ? "span.string" : "span.string.short", text);
}

/** A link that the host opens. @param {string} url @param {string} words @param {Show} show */
export function linkButton(url, words, show) {
  return button(words, () => show.openLink(url), { class: "link", role: "link", title: url });
}

/** @param {any} value @param {Show} show */
function folded(value, show) {
  return keptFold(show, gist(value), () => [renderValue(value, show, "Value", IN_A_CELL)]);
}
