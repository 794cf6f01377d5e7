import { wallTime } from "./locale.js";
import { setOf, wordsOf } from "./meaning.js";
import { isString } from "./plain.js";

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Last words of names under which a number can be a time. */
const TIMES = setOf("at on time timestamp date datetime ts epoch created updated modified changed published expires started ended since until mtime ctime atime");
const FIRST_SECOND = 1e9;
const LAST_SECOND = 4.1e9;

/**
 * @typedef {object} Instant
 * @property {number} at milliseconds since 1970, in UTC
 * @property {boolean} timed whether it has a time of day
 * @property {boolean} zoned whether it is one moment everywhere; else it is what a calendar and a clock on the wall say
 * @property {string} [offset] from UTC, `"+01:00"`, where the sender told the time of a place of its own
 */

/**
 * The date or time that a value is: an ISO text, or a number whose name and size both say so.
 * @param {unknown} value
 * @param {string} [name] of the field
 * @returns {Instant | undefined}
 */
export function instantOf(value, name = "") {
  if (isString(value)) return written(value);
  if (typeof value !== "number" || !TIMES.has(wordsOf(name).findLast((word) => word !== "ms") ?? "")) return undefined;
  return [value * 1000, value].filter((at) => at >= FIRST_SECOND * 1000 && at < LAST_SECOND * 1000).map((at) => ({ at, timed: true, zoned: true }))[0];
}

/** @param {string} text @returns {Instant | undefined} */
function written(text) {
  const [, day, time, zone] = text.length < 40 && WRITTEN.exec(text) || [];
  if (!day || new Date(day).getUTCDate() !== Number(day.slice(8))) return undefined;
  const at = Date.parse(time ? `${day}T${time}${zone ? zone.replace(/(\d\d):?(\d\d)$/, "$1:$2").toUpperCase() : "Z"}` : day);
  return Number.isNaN(at) ? undefined : { at, timed: !!time, zoned: !!zone, ...(/[1-9]/.test(zone ?? "") && { offset: zone }) };
}

/** What calendar and clock show at that moment in the page's time zone, as if it were UTC. @param {Instant} instant */
export function onTheWall({ at, zoned }) {
  return zoned ? wallTime(at) : at;
}
