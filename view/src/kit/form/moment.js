import { el } from "../el.js";
import { asText, leafField } from "./leaf.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Control } from "./leaf.js" */

/** A date: the control speaks the schema's own form. @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function dateField(spec, look) {
  const control = el("input", { type: "date" });
  const parse = (/** @type {string} */ shown) => shown ? { value: shown } : unfinished(control);
  return leafField(spec, control, { parse, format: asText }, look);
}

/** A date and time, entered in the zone of this device, sent with its offset. @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function dateTimeField(spec, look) {
  const control = el("input", { type: "datetime-local", step: "any" });
  const parse = (/** @type {string} */ shown) => (shown ? { value: withSeconds(shown) + offset(new Date(shown)) } : unfinished(control));
  return leafField(spec, control, { parse, format: (value) => localDateTime(String(value)) }, look);
}

/** A time of day, sent with the offset of this device. @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function timeField(spec, look) {
  const control = el("input", { type: "time", step: "any" });
  const parse = (/** @type {string} */ shown) => (shown ? { value: withSeconds(shown) + offset(new Date()) } : unfinished(control));
  return leafField(spec, control, { parse, format: (value) => /^[\d:.]+/.exec(String(value))?.[0] ?? "" }, look);
}

/** @param {HTMLInputElement} control */
function unfinished(control) {
  return control.validity?.badInput ? { problem: "This is not complete." } : undefined;
}

/** @param {string} shown */
function withSeconds(shown) {
  return /:\d\d:/.test(shown) ? shown : `${shown}:00`;
}

/**
 * @param {Date} moment
 * @returns {string} the offset of this device's zone at that moment, such as "+02:00" or "Z"
 */
export function offset(moment) {
  const minutes = -moment.getTimezoneOffset();
  if (!minutes) return "Z";
  const two = (/** @type {number} */ n) => String(Math.floor(n)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/**
 * @param {string} value an RFC 3339 date and time
 * @returns {string} the same moment for a datetime-local control, "" when it is none
 */
export function localDateTime(value) {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return "";
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, 19).replace(/:00$/, "");
}
