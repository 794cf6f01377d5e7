import { hasOwn } from "../plain.js";

const DATE = String.raw`\d{4}-\d\d-\d\d`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d:?\d\d)$`;

/** Format → what it looks like, what it is, and an example. @type {Record<string, [RegExp, string, string]>} */
const FORMATS = {
  date: [RegExp(`^${DATE}$`), "a date", "2026-01-31"],
  time: [RegExp(`^${TIME}`, "i"), "a time with its offset", "14:30:00Z"],
  "date-time": [RegExp(`^${DATE}[t ]${TIME}`, "i"), "a date and time", "2026-01-31T14:30:00Z"],
  email: [/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/, "an e-mail address", "name@example.com"],
  uri: [/^[a-z][a-z\d+.-]*:\S+$/i, "a full address", "https://example.com"],
  url: [/^(https?|ftp):\/\/\S+$/i, "a full address", "https://example.com"],
  uuid: [/^(urn:uuid:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, "a UUID", "123e4567-e89b-42d3-a456-426614174000"],
  ipv4: [/^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/, "an IPv4 address", "192.0.2.1"],
};

/**
 * @param {string} text
 * @param {any} format
 * @returns {string} why the text is not in this format, or ""
 */
export function formatProblem(text, format) {
  if (!hasOwn(FORMATS, format) || text.length > 2000) return "";
  const [looks, what, example] = FORMATS[format];
  if (!looks.test(text)) return `Enter ${what}, such as ${example}.`;
  const day = text.slice(0, 10);
  return /^date/.test(format) && !isDay(day) ? "There is no such date." : "";
}

/** Whether the calendar has a day. @param {string} day as 2026-01-31 */
function isDay(day) {
  const moment = Date.parse(day);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day);
}
