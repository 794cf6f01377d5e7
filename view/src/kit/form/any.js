import { asText, isBoolean, isNumber, isString, parseJson } from "../plain.js";
import { inexactNumber } from "../schema/number.js";
import { variantsField } from "./variants.js";
/** @import { FieldSpec, Kind } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** @typedef {[label: string, kind: Kind, fits: (value: any) => boolean, values?: any[]]} Type */

/** The types of JSON, the first that fits a value first. @type {Type[]} */
const TYPES = [
  ["Text", "long", isString],
  ["Number", "number", isNumber],
  ["True/false", "choice", isBoolean, [true, false]],
  ["Null", "const", (value) => value === null, [null]],
  ["JSON", "json", () => true],
];

/** A value of any type: the person says which. @param {FieldSpec} spec @param {Look} look @returns {Field} */
export function anyField(spec, look) {
  const variants = TYPES.map(
    ([label, kind, fits, values]) =>
      /** @type {FieldSpec} */ ({
        ...spec,
        label,
        kind,
        values,
        description: "",
        nullable: false,
        preset: undefined,
        schema: { type: kind },
        issues: (value) => (fits(value) ? [] : [{ path: [], message: "" }]),
      }),
  );
  return variantsField({ ...spec, variants }, look, carry);
}

/** The value as another type would have it, undefined when it cannot. @param {any} value @param {FieldSpec} spec */
function carry(value, { kind, issues }) {
  if (value === undefined || kind === "const") return undefined;
  if (kind === "long") return asText(value);
  const parsed = isString(value) && !inexactNumber(value) ? (parseJson(value) ?? value) : value;
  return issues(parsed).length ? undefined : parsed;
}
