import { typedField } from "../../kit/form/controls.js";
/** @import { Look } from "../../kit/form/field.js" */
/** @import { FieldSpec } from "../../kit/schema/describe.js" */

/** One of many values, as JSON text. @param {FieldSpec} spec @param {Look} look */
export function comboboxField(spec, look) {
  return typedField({ ...spec, kind: "json" }, look);
}
