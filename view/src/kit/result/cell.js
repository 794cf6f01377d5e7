import { button, el } from "../el.js";
import { unitOf } from "../meaning.js";
import { isArray, isBoolean, isNothing, isString, jsonText, string } from "../plain.js";
import { HAS_WRITTEN_VIEW } from "../written/has-view.js";
import { codeBlock } from "./code.js";
import { keptFold } from "./fold.js";
import { image } from "./media.js";
import { gist, isBig, soleKey } from "./nested.js";
import { jsonIn } from "./recognise/json.js";
import { pictureIn } from "./recognise/picture.js";
import { badge, moment, numeral } from "./scalar.js";
import { toneOf } from "./state.js";
import { renderValue } from "./value.js";
/** @import { Show } from "./show.js" */

/** Up to this many characters a text stays on one line. */
const SHORT = 24;
/** Entries of this length stand beside each other. */
const BRIEF = 24;
/** So much of an id is shown among others, and where it stands alone. */
const TOKEN = 8;
const MOST_TOKEN = 64;
/** A line for a shell: a program, what it is to do, and an option. */
const COMMAND = /^[a-z][\w./-]*( [^\s,]+)* --?[a-z][^\n]*$/;
/** So deep that nothing in it gets a part of the page to itself. */
export const IN_A_CELL = 3;

/**
 * One value in a table cell or a key/value list: short things as they are, the rest folded.
 * @param {any} value
 * @param {Show} show
 * @param {boolean} [alone] whether it stands alone, not among others of its kind
 * @returns {Node}
 */
export function cell(value, show, alone = false) {
  if (HAS_WRITTEN_VIEW && value instanceof Node) return value;
  if (isNothing(value))
    return el("span.none", { title: value === undefined ? null : jsonText(value) }, "\u2013");
  if (isBoolean(value)) return badge(value ? "Yes" : "No", toneOf(value, show.name));
  if (/^[[{]/.test(string(value))) value = jsonIn(value) ?? value;
  const sole = alone && soleKey(value);
  if (sole)
    return el(
      "span",
      !unitOf(sole) && el("span.hint", `${show.label(sole)} `),
      numeral(value[sole], show.at(sole), true),
    );
  if (isBig(value)) return folded(value, show);
  if (isArray(value)) {
    const cells = entries(value, show);
    return alone && (isString(value[2]) || (isString(value[1]) && !areBrief(cells)))
      ? plainList(cells)
      : joined(cells);
  }
  return (
    moment(value, show) ?? (isString(value) ? textCell(value, show, alone) : numeral(value, show, alone))
  );
}

/** @param {Node[]} cells */
function areBrief(cells) {
  return cells.every(({ textContent }) => `${textContent}`.length <= BRIEF);
}

/** Plain values as a list: brief ones beside each other, others beneath each other. @param {Node[]} cells */
export function plainList(cells) {
  return el(
    areBrief(cells) ? "ul.plain.short" : "ul.plain",
    cells.map((one) => el("li", one)),
  );
}

/** Entries in a line; where they have commas of their own, something else stands between them. @param {Node[]} nodes */
function joined(nodes) {
  const between = separator(nodes.map(({ textContent }) => `${textContent}`));
  return el(
    "span.run",
    nodes.flatMap((one, i) => [i > 0 && between, one]),
  );
}

/** What stands between values in a line, and is in none of them; never a sign of arithmetic. @param {string[]} words */
export function separator(words) {
  return words.some((one) => one.includes(",")) ? "; " : ", ";
}

/** What stands in a list of plain values, each as a cell. @param {any[]} list @param {Show} show */
export function entries(list, show) {
  const { name } = show;
  return list.map((one, i) =>
    cell(one, Object.assign(show.at(i), { name: unitOf(name) ? name : name.replace(/s$/i, "") })),
  );
}

/** @param {string} text @param {Show} show @param {boolean} alone */
function textCell(text, show, alone) {
  const picture = pictureIn(text);
  if (picture) return image(picture, show, true);
  if (/^https?:\/\/\S+$/i.test(text) && text.length < 2000) return linkButton(text, text, show);
  if (alone && COMMAND.test(text)) return codeBlock(text, "", show);
  const tone = toneOf(text, show.name);
  if (tone) return badge(text, tone);
  if (isToken(text)) return token(text, show, alone);
  return el(
    text.length > SHORT ? "span.string" : "span.string.short",
    isColour(text, show.name) && swatch(text),
    text,
  );
}

/** Whether a text is an id, a hash or encoded data that a machine made: letters and figures without a meaning. @param {string} text */
export function isToken(text) {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return true;
  if (/^[\da-f]{24,128}$/i.test(text)) return /[a-f]/i.test(text) && /\d/.test(text);
  return (
    text.length > MOST_TOKEN &&
    /^[\w+/.-]+={0,2}$/.test(text) &&
    [/[a-z]/, /[A-Z]/, /\d/].every((sign) => sign.test(text)) &&
    !/[/._-]\p{L}{3,}[/._-]/u.test(text)
  );
}

/** An id that copies itself; its beginning where it stands among others. @param {string} text @param {Show} show @param {boolean} alone */
function token(text, show, alone) {
  const words = alone && text.length <= MOST_TOKEN ? text : `${text.slice(0, TOKEN)}\u2026`;
  return button(words, () => show.copy(text), { class: "token", title: text, "aria-label": `Copy ${words}` });
}

/** Whether a text is a colour in hexadecimal digits, and no number of an issue. @param {string} text @param {string} name of its field */
function isColour(text, name) {
  return (
    /^#([\da-f]{3,4}){1,2}$/i.test(text) &&
    text.length !== 8 &&
    (/colou?r|fill|stroke|background/i.test(name) || (text.length > 6 && /[a-f]/i.test(text)))
  );
}

/** A colour to see, beside its name. @param {string} colour */
function swatch(colour) {
  const patch = el("span.swatch");
  patch.style.background = colour;
  return patch;
}

/** A link that the host opens. @param {string} url @param {string} words @param {Show} show */
export function linkButton(url, words, show) {
  return button(words, () => show.openLink(url), { class: "link", role: "link", title: url });
}

/** @param {any} value @param {Show} show */
function folded(value, show) {
  return keptFold(show, gist(value), () => [renderValue(value, show, "Value", IN_A_CELL)]);
}
