import { instantOf, onTheWall } from "./instant.js";
import { dateFormat, numberFormat } from "./locale.js";
import { isCode, isId, TIMES, unitOf } from "./meaning.js";
import { abs, floor, isNumber, max, min } from "./plain.js";
import { HAS_WRITTEN_VIEW } from "./written/has-view.js";
/** @import { Instant } from "./instant.js" */

const NONE = "\u2013";

/** Words that are written in capitals, whatever a name does. */
const CAPITALS = /\b(ai|api|aws|cpu|csv|dst|html|id|ip|json|pdf|rgb|sql|uri|url|utf\d*|uuid|xml)(s?)\b/gi;

/**
 * Words out of a technical name: "repo_path" → "Repo path", "maxItems" → "Max items", "userIds" → "User IDs". The
 * name of a variable stays as it is: "NO_COLOR", "x".
 * @param {string} name
 */
export function nameWords(name) {
  if (/^([A-Z\d]+(_[A-Z\d]+)+|.)$/.test(name)) return name;
  const words = name
    .replace(/([a-z\d])([A-Z])|([A-Z]+)([A-Z][a-z]{2})/g, "$1$3 $2$4")
    .replace(/[_\-.\s]+/g, " ")
    .trim()
    .replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase())
    .replace(CAPITALS, (_, word, plural) => word.toUpperCase() + plural);
  return words ? words[0].toUpperCase() + words.slice(1) : name;
}

/** @param {number} count @param {string} one @param {string} [many] @returns {string} "1 row", "3 rows" */
export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** A size for people: 2048 → "2 kB". @param {number} bytes */
export function byteSize(bytes) {
  return withUnit(bytes, "byte");
}

/** One line, cut at a length. @param {string} text @param {number} length */
export function shorten(text, length) {
  const line = text
    .slice(0, length * 2)
    .replace(/\s+/g, " ")
    .trim();
  // Digits and signs that go on behind the cut would say something else: two stars of four.
  return line.length > length
    ? `${line.slice(0, length - 1).replace(/(?<=\p{L})[^\p{L}]+$/u, "")}\u2026`
    : line;
}

/** Units of sizes, from the smallest: large amounts are read in large units. */
const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
/**
 * How many of the next smaller unit these have; others have a thousand. What is counted in them stays so: no one
 * reads 40 working hours as a day and a half.
 * @type {Record<string, number>}
 */
const COUNTED = { minute: 60, hour: 60, day: 24 };
/** So many seconds that stand alone are read in minutes. */
const LONG = 120;

/**
 * The unit in which people read an amount.
 * @param {number} amount
 * @param {string} given unit as `Intl` calls it, or ""
 * @returns {{ unit: string, size: number, parts: number, part: string }} that unit, how many of the given one it has, and how many of the next smaller one
 */
export function readableUnit(amount, given) {
  const ladder = given in COUNTED ? [] : ([SIZES, TIMES].find((one) => one.includes(given)) ?? []);
  const partsOf = (/** @type {string} */ unit) => COUNTED[unit] ?? 1000;
  let size = 1;
  let i = ladder.indexOf(given);
  for (; i >= 0 && i < ladder.length - 1 && abs(amount) >= size * partsOf(ladder[i + 1]); i++)
    size *= partsOf(ladder[i + 1]);
  const unit = ladder[i] ?? given;
  return { unit, size, parts: partsOf(unit), part: ladder[i - 1] };
}

/** @param {number} amount @param {string} given unit, or "" @param {Intl.NumberFormatOptions} [digits] @param {boolean} [alone] */
function withUnit(amount, given, digits, alone) {
  const { unit, size, parts, part } = readableUnit(amount, given);
  const count = amount / size;
  if (size === 1 || digits || !(unit in COUNTED))
    return inUnit(count, unit, digits ?? (size > 1 ? { maximumFractionDigits: 2 } : digitsOf(amount, alone)));
  const whole = Math.trunc(count);
  const rest = floor(abs(count - whole) * parts + 1e-6);
  return inUnit(whole, unit) + (rest ? ` ${inUnit(rest, part)}` : "");
}

/** @param {number} count @param {string} unit @param {Intl.NumberFormatOptions} [digits] */
function inUnit(count, unit, digits) {
  return numberFormat({
    ...digits,
    ...(unit && { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short" }),
  }).format(count);
}

/** More digits than these are what a computer's arithmetic leaves over. */
const WRITTEN = 15;
/** A fraction with more digits was not written by a person. */
const MOST_AMONG = 12;
/** So many digits of such a number stand among others. */
const AMONG = 6;

/**
 * All digits that a number was written with. One with more of them was computed: it is rounded, to
 * what arithmetic leaves exact where it stands alone, and to fewer digits where it stands among others.
 * @param {number} value @param {boolean | undefined} alone @returns {Intl.NumberFormatOptions}
 */
function digitsOf(value, alone) {
  const size = abs(value);
  const isWritten = alone || Number(value.toPrecision(MOST_AMONG)) === value;
  const whole = size < 1 ? 0 : floor(size).toString().length;
  return {
    maximumSignificantDigits: isWritten ? WRITTEN : max(AMONG, min(WRITTEN, whole + 2)),
    ...(size && (size < 1e-6 || size >= 1e15) && { notation: "scientific" }),
  };
}

/**
 * A number as people read it under a name that tells what it is: ids and years as they are, what has
 * a unit in that unit, everything else grouped, with the host's decimal sign. Where the name does
 * not say the unit, and for bytes, it is the unit that fits.
 * @param {number} value
 * @param {string} name of its field
 * @param {string} [described] its unit as `Intl` calls it, when the name does not tell it
 * @param {boolean} [alone] whether it stands alone, with room for all its digits
 * @returns {string}
 */
export function quantity(value, name, described = "", alone = false) {
  const named = unitOf(name);
  const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (named && named !== "byte" && !(alone && named === "second" && abs(value) >= LONG))
    return inUnit(value, named, digitsOf(value, alone));
  const unit = named || (isId(name) ? "" : described);
  return !unit && (isCode(name, value) || isInexact) ? `${value}` : withUnit(value, unit, undefined, alone);
}

/**
 * A number for a person, in the host's language.
 * @param {any} value
 * @param {{ unit?: string, digits?: number }} [options] a unit as people write it ("ms", "%", "EUR"); exactly this many digits after the point
 * @returns {string} "–" for nothing; what is no number stays as it is
 */
export function number(value, { unit = "", digits: asked } = {}) {
  const digits = HAS_WRITTEN_VIEW ? asked : undefined;
  if (!isNumber(value)) return `${value ?? NONE}`;
  const known = unitOf(unit);
  if (isMoney(unit)) return money(value, unit, digits);
  const text = withUnit(
    value,
    known,
    digits === undefined ? digits : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
  return known || !unit ? text : `${text}\u00a0${unit}`;
}

/** Whether a unit is a currency, by its code or its sign. @param {string} unit */
export function isMoney(unit) {
  return (
    /^(\p{Sc}|[A-Z]{3})$/u.test(unit) &&
    (unit.length < 3 || Intl.supportedValuesOf("currency").includes(unit))
  );
}

/** An amount of money with all its digits: two at least where there is a fraction. @param {number} value @param {string} unit @param {number} [digits] */
function money(value, unit, digits) {
  const fraction = {
    minimumFractionDigits: digits ?? (Number.isInteger(value) ? 0 : 2),
    maximumFractionDigits: digits ?? 12,
  };
  return unit.length < 3
    ? `${value < 0 ? "-" : ""}${unit}${numberFormat(fraction).format(abs(value))}`
    : numberFormat({
        ...fraction,
        style: "currency",
        currency: unit,
        currencyDisplay: "narrowSymbol",
      }).format(value);
}

/**
 * A date or time for a person, in the host's language and time zone; a date alone is not shifted.
 * @param {any} value ISO text, a `Date`, or seconds or milliseconds since 1970
 * @param {{ time?: boolean }} [options] with the time of day or without; by itself, as the value has one
 * @returns {string} "–" for nothing; what is no date stays as it is
 */
export function date(value, { time } = {}) {
  const instant = instantOf(value instanceof Date ? value.toJSON() : value, "at");
  return instant ? dateText(instant, time) : `${value ?? NONE}`;
}

/** @param {Instant} instant @param {boolean} [timed] @param {boolean} [dated] whether the day is said, not only the time */
export function dateText(instant, timed = instant.timed, dated = true) {
  const { at, offset = "" } = instant;
  const here = onTheWall(instant);
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  // Who names another place's time means that time: it is not turned into the reader's.
  const there = sign ? at + Number(sign + 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : here;
  const text = dateFormat({
    dateStyle: dated ? "medium" : undefined,
    timeStyle: timed ? (there % 60_000 ? "medium" : "short") : undefined,
  }).format(there);
  return there === here ? text : `${text} GMT${sign}${Number(hours)}${Number(minutes) ? `:${minutes}` : ""}`;
}
