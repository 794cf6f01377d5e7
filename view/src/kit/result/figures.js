import { el, quietButton } from "../el.js";
import { dateText, isMoney, number } from "../format.js";
import { instantOf } from "../instant.js";
import { numberFormat } from "../locale.js";
import { abs, asText, floor, isBoolean, isBranch, isNumber, isString, max } from "../plain.js";
import { cell } from "./cell.js";
import { breakable } from "./markdown/inline.js";
/** @import { Show } from "./show.js" */
/** @import { Child } from "../el.js" */
/** @import { Instant } from "../instant.js" */

/** So many digits of a fraction stand in a figure, and so many of one that is alone; one with more was computed, and keeps the fewer. */
const [DIGITS, ALONE] = [7, 14];
/** A number in a text, with more digits than a number keeps. */
const EXACT = /^-?\d{16,}\.\d+$/;
/** What is read letter by letter: a password, a path, an id. */
const CODE = /^(?=.*[a-z])(?=.{8})\S*[\d/_@+=]\S*$/i;
/** Longer texts are set smaller. */
const LONG = 18;

/**
 * @typedef {object} Figure
 * @property {string} [label]
 * @property {any} value
 * @property {string} [unit]
 * @property {string} [hint]
 */

/**
 * A value set large: its amount, and its unit smaller beside it. The exact value is its title.
 * @param {any} value @param {Show} show @param {string} [unit] @param {number} [digits] that a fraction may have
 * @returns {HTMLElement}
 */
export function figure(value, show, unit = "", digits = DIGITS) {
  const isPrice = isNumber(value) && isMoney(unit);
  const instant = instantOf(value, show.name);
  if (instant?.timed) return whenOf(instant, /time$/i.test(show.name), value);
  const node = isPrice ? el("span", number(value, { unit })) : cell(rounded(value, digits), show, true);
  const words =
    node.nodeName === "BUTTON"
      ? `${value}`
      : isString(value) && EXACT.test(value)
        ? numberFormat({ maximumFractionDigits: 20 }).format(/** @type {any} */ (value))
        : `${node.textContent}`;
  const [, amount = "", measure = ""] =
    (!isBranch(value) && /^([^\p{L}]*\d)(\s?[^\d\s.,:/-][^\d\s]{0,7})?$/u.exec(words)) || [];
  const size = isBoolean(value)
    ? "words"
    : words.length > LONG
      ? /\s/.test(words)
        ? "phrase"
        : "long"
      : isNumber(value) || amount
        ? "amount"
        : "words";
  const element = el(
    "span",
    { class: `figure ${size}${CODE.test(words) ? " code" : ""}`, title: isBranch(value) ? null : `${value}` },
    amount
      ? breakable(amount, /(?<=,)/)
      : node.nodeName === "BUTTON" || words !== node.textContent
        ? words
        : node,
    el("span.unit", isPrice ? "" : unit || measure.trim()),
  );
  // A long one gets a smaller size where it is a hero, so that it stays in one line.
  element.style.setProperty("--letters", `${words.length}`);
  return element;
}

/** A day and a time of day, what matters most first. @param {Instant} instant @param {boolean} isClock @param {any} value */
function whenOf(instant, isClock, value) {
  const words = dateText(instant);
  const [, day, clock] = /^(.*), (.*)$/.exec(words) ?? [];
  return el(
    day ? "time.figure" : "time.figure.phrase",
    { title: value },
    day ? [isClock ? clock : day, " ", el("span.unit", isClock ? day : clock)] : words,
  );
}

/** @param {any} value @param {number} digits */
function rounded(value, digits) {
  return isNumber(value) && value % 1 && Number(value.toPrecision(digits)) !== value
    ? Number(value.toPrecision(max(DIGITS, floor(abs(value)).toString().length + 2)))
    : value;
}

/**
 * The one value that answers the question, set large, with a way to copy it.
 * @param {any} value
 * @param {Omit<Figure, "value">} words
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function hero(value, { label, unit, hint }, show) {
  return el(
    "div.hero",
    el(
      "div",
      label && el("p.hint", label),
      el("p", figure(value, show, unit, ALONE)),
      hint && el("p.hint", hint),
    ),
    quietButton("Copy", () => show.copy(asText(value)), {
      "aria-label": `Copy ${label || "this value"}`,
      class: "quiet copy",
    }),
  );
}

/**
 * A message that stands by itself.
 * @param {Child | Child[]} text @param {string} [tone] "ok", "warn" or "bad" @param {Node} [sign] before it
 */
export function notice(text, tone, sign) {
  return el(sign ? "p.said.signed" : "p.said", { "data-tone": tone || null, role: "note" }, sign, text);
}

/** Whether a text stands as one value rather than as words to read. @param {unknown} text */
export function isTerse(text) {
  return (
    isString(text) &&
    text.length <= 64 &&
    !/\n/.test(text) &&
    (!/\s\S+\s\S+\s/.test(text) || (/[=+*^]/.test(text) && !/\p{L}{2} \p{L}{2}/u.test(text))) &&
    !text.endsWith(":")
  );
}
