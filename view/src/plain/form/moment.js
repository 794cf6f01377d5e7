import { line, unlessEmpty } from "../../kit/form/line.js";
/** @import { Leaf } from "../../kit/form/leaf.js" */
/** @import { FieldSpec } from "../../kit/schema/describe.js" */

/** A date or time as text. @param {FieldSpec} spec @returns {Leaf} */
export function momentLeaf(spec) {
  return { ...line(spec, "text"), parse: unlessEmpty };
}
