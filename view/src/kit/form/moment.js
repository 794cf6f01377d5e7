import { abs, asText } from "../plain.js";
import { line, unlessEmpty } from "./line.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Leaf, Parsed } from "./leaf.js" */

/** How each kind of moment is shown and read. @type {Record<string, [type: string, toShown: (value: string) => string, parse: (shown: string) => Parsed]>} */
const MOMENTS = {
  date: ["date", String, unlessEmpty],
  "date-time": [
    "datetime-local",
    localDateTime,
    (shown) => unlessEmpty(shown && withSeconds(shown) + offset(new Date(shown))),
  ],
  time: [
    "time",
    (value) => /^[\d:.]+/.exec(value)?.[0] ?? "",
    (shown) => unlessEmpty(shown && withSeconds(shown) + offset(new Date())),
  ],
};

/** A control for dates or times, which becomes a plain line for a value it cannot show. @param {FieldSpec} spec @returns {Leaf} */
export function momentLeaf(spec) {
  const [type, toShown, parse] = MOMENTS[spec.kind];
  const { control } = line(spec, type);
  return {
    control,
    parse: (shown) => (control.type === "text" ? unlessEmpty(shown) : parse(shown)),
    show(value) {
      control.type = type;
      control.value = toShown(asText(value));
      if (control.value) return;
      control.type = "text";
      control.value = asText(value);
    },
  };
}

/** @param {string} shown a time as a control shows it */
function withSeconds(shown) {
  return /:\d\d:/.test(shown) ? shown : `${shown}:00`;
}

/**
 * @param {Date} moment
 * @returns {string} the offset of this device's zone at that moment, such as "+02:00" or "Z"
 */
function offset(moment) {
  const minutes = -moment.getTimezoneOffset();
  if (!minutes) return "Z";
  const clock = new Date(abs(minutes) * 60_000).toISOString().slice(11, 16);
  return (minutes < 0 ? "-" : "+") + clock;
}

/**
 * @param {string} value an RFC 3339 date and time
 * @returns {string} the same moment for a datetime-local control, "" when it is none
 */
function localDateTime(value) {
  const moment = new Date(value);
  const local = moment.getTime() - moment.getTimezoneOffset() * 60_000;
  return Number.isNaN(local) ? "" : new Date(local).toISOString().slice(0, 19).replace(/:00$/, "");
}
