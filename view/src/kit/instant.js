import { wallTime } from "./locale.js";
import { setOf, wordsOf } from "./meaning.js";
import { isNumber, isString } from "./plain.js";

/** "Sat, 21 Nov 2026 10:00:00 GMT" of mail, "Sat Nov 21 2026 10:00:00 GMT+0100 (…)" of JavaScript, "Sat Nov 21 10:00:00 2026 +0100" of Git. */
const SPELLED =
  /^(?:[A-Z][a-z]{2},? )?(?:\d\d? [A-Z][a-z]{2}|[A-Z][a-z]{2} \d\d?) (?=.*\d{4})[\d: ]*\d\d:\d\d[\d: ]*?( ?(?:GMT|UTC)?([+-]\d{4})?)(?: \(.*\))?$/;
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

const SURE_TIMES = "date datetime timestamp epoch unix created modified published birthday birthdate dob";
/** Words that name a time, anywhere in a name; and those that do so at its end. */
const TIMES = setOf(
  `${SURE_TIMES} timestamps time times dates ts updated changed expires expired expiry expiration exp iat nbf started ended finished completed since until mtime ctime atime btime birthtime dt deadline due login logout sunrise sunset`,
);
const LAST_TIMES = setOf("start end begin reset utc seen scheduled closed opened resolved merged");
/** Under these a number is a time since 1973 already. */
const SURE = setOf(`${SURE_TIMES} at on`);
/** Words that say a time is a length, or that a number counts something else. */
const LENGTHS =
  /^(elapsed|duration|took|taken|total|cpu|response|wait|idle|spent|average|avg|mean|latency|per|bytes?|size|packets?|rows|tokens|views|hits)$/;
const LAST_LENGTHS = /^(in|id|ids|count|length|offset|code|number|zone|ago|remaining|left|max|min)$/;
/** Words that say in what a time is counted. */
const SCALES = /^(s(ec(ond)?s?)?|[mun]s(ec)?|(milli|micro|nano)s(econds?)?|utc|gmt)$/;

/** Seconds of 1973, 2001, 2014 and 2099: since when a number under a name is a time. */
const [OLDEST, FIRST_SECOND, RECENT, LAST_SECOND] = [1e8, 1e9, 1.4e9, 4.1e9];
/** How many milliseconds a second, millisecond, microsecond and nanosecond have. */
const SCALE = [1000, 1, 1e-3, 1e-6];

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
  const first = isNumber(value) ? firstSecond(name) : 0;
  if (!first) return undefined;
  const at = SCALE.map((scale) => Number(value) * scale).find(
    (one, i) => one > (i < 2 ? first : FIRST_SECOND) * 1000 && one < LAST_SECOND * 1000,
  );
  return at === undefined ? undefined : { at, timed: true, zoned: true };
}

/** The second since which a number under a name is a time; 0 where it never is. @param {string} name */
function firstSecond(name) {
  const words = wordsOf(name);
  const telling = words.filter((word) => !SCALES.test(word));
  const last = telling.at(-1) ?? "";
  if (telling.some((word) => LENGTHS.test(word)) || LAST_LENGTHS.test(last)) return 0;
  if (SURE.has(last)) return OLDEST;
  if (TIMES.has(last)) return words.at(-1) === last ? FIRST_SECOND : OLDEST;
  return LAST_TIMES.has(last) || telling.some((word) => TIMES.has(word)) ? RECENT : 0;
}

/** @param {string} text @returns {Instant | undefined} */
function written(text) {
  const [found, zoned, from] = (text.length < 90 && SPELLED.exec(text)) || [];
  if (found) return moment(Date.parse(zoned ? text : `${text} UTC`), true, zoned, from);
  const [, day, time, zone] = (text.length < 40 && WRITTEN.exec(text)) || [];
  if (!day || new Date(day).getUTCDate() !== Number(day.slice(8))) return undefined;
  const at = Date.parse(
    time ? `${day}T${time}${zone ? zone.replace(/(\d\d):?(\d\d)$/, "$1:$2").toUpperCase() : "Z"}` : day,
  );
  return moment(at, !!time, zone);
}

/** @param {number} at @param {boolean} timed @param {string} [zone] as it was written @param {string} [offset] @returns {Instant | undefined} */
function moment(at, timed, zone, offset = zone) {
  return Number.isNaN(at)
    ? undefined
    : { at, timed, zoned: !!zone, ...(/[1-9]/.test(offset ?? "") && { offset }) };
}

/** What calendar and clock show at that moment in the page's time zone, as if it were UTC. @param {Instant} instant */
export function onTheWall({ at, zoned }) {
  return zoned ? wallTime(at) : at;
}
