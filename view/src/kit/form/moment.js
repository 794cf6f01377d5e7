import { abs } from "../plain.js";

/** @param {string} shown a time as a control shows it */
export function withSeconds(shown) {
  return /:\d\d:/.test(shown) ? shown : `${shown}:00`;
}

/**
 * @param {Date} moment
 * @returns {string} the offset of this device's zone at that moment, such as "+02:00" or "Z"
 */
export function offset(moment) {
  const minutes = -moment.getTimezoneOffset();
  if (!minutes) return "Z";
  const clock = new Date(abs(minutes) * 60_000).toISOString().slice(11, 16);
  return (minutes < 0 ? "-" : "+") + clock;
}

/**
 * @param {string} value an RFC 3339 date and time
 * @returns {string} the same moment for a datetime-local control, "" when it is none
 */
export function localDateTime(value) {
  const moment = new Date(value);
  const local = moment.getTime() - moment.getTimezoneOffset() * 60_000;
  return Number.isNaN(local) ? "" : new Date(local).toISOString().slice(0, 19).replace(/:00$/, "");
}
