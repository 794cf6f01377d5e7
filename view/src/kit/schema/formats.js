import { hasOwn, isString } from "../plain.js";
import { matches } from "./pattern.js";
/** @import { Plain } from "../plain.js" */

const DATE = String.raw`\d{4}-\d\d-\d\d`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]([01]\d|2[0-3]):?[0-5]\d)$`;
const LABEL = String.raw`[a-z\d]([a-z\d-]{0,61}[a-z\d])?`;

/** Format → what it looks like, what it is, and an example. @type {Record<string, [{ test(text: string): boolean }, string, string]>} */
const FORMATS = {
  date: [RegExp(`^${DATE}$`), "a date", "2026-01-31"],
  time: [RegExp(`^${TIME}`, "i"), "a time with its offset", "14:30:00Z"],
  "date-time": [RegExp(`^${DATE}[t ]${TIME}`, "i"), "a date and time", "2026-01-31T14:30:00Z"],
  duration: [/^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/, "a duration", "PT1H30M"],
  email: [
    RegExp(
      String.raw`^[\w!#$%&'*+/=?^\x60{|}~-]+(\.[\w!#$%&'*+/=?^\x60{|}~-]+)*@(${LABEL}\.)+${LABEL}$`,
      "i",
    ),
    "an e-mail address",
    "name@example.com",
  ],
  hostname: [RegExp(String.raw`^(?=.{1,253}$)${LABEL}(\.${LABEL})*$`, "i"), "a host name", "example.com"],
  uri: [
    /^[a-z][a-z\d+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i,
    "a full address",
    "https://example.com",
  ],
  url: [/^(https?|ftp):\/\/\S+$/i, "a full address", "https://example.com"],
  uuid: [
    /^(urn:uuid:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
    "a UUID",
    "123e4567-e89b-42d3-a456-426614174000",
  ],
  ipv4: [/^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/, "an IPv4 address", "192.0.2.1"],
  ipv6: [
    { test: (text) => /^[\da-f.:]+$/i.test(text) && URL.canParse(`ip://[${text}]`) },
    "an IPv6 address",
    "2001:db8::1",
  ],
};

/**
 * What is wrong with the form of a text: its pattern, its format, and the first and last moment that it may name.
 * @param {string} text @param {Plain} schema @returns {string} "" when nothing is
 */
export function formProblem(text, { pattern, format, formatMinimum, formatMaximum }) {
  return (
    (matches(text, pattern) === false ? `Must match the pattern ${pattern}` : formatProblem(text, format)) ||
    (moment(text) < moment(formatMinimum)
      ? `Must be ${formatMinimum} or later.`
      : moment(text) > moment(formatMaximum)
        ? `Must be ${formatMaximum} or earlier.`
        : "")
  );
}

/** @param {unknown} text a date, or a date and time */
function moment(text) {
  return isString(text) ? Date.parse(text) : NaN;
}

/**
 * @param {string} text
 * @param {any} format
 * @returns {string} why the text is not in this format, or ""
 */
export function formatProblem(text, format) {
  if (!hasOwn(FORMATS, format) || text.length > 2000) return "";
  const [looks, what, example] = FORMATS[format];
  if (!looks.test(text)) return `Enter ${what}, such as ${example}.`;
  return /^date/.test(format) && !isDay(text.slice(0, 10)) ? "There is no such date." : "";
}

/** Whether the calendar has a day. @param {string} day as 2026-01-31 */
function isDay(day) {
  const moment = Date.parse(day);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day);
}
