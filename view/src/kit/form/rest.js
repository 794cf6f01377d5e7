import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */

/** The field for what an object may hold besides its own fields, if it may. @param {FieldSpec} spec */
export function restField({ rest }) {
  return rest && makeField(rest);
}
