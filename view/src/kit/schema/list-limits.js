import { sizeProblem } from "./limits.js";
/** @import { Plain } from "../plain.js" */

/** What is wrong with the number of a list's entries, or with equal ones. @param {any[]} value @param {Plain} schema @returns {string} */
export function listProblem(value, { minItems, maxItems, uniqueItems }) {
  return (
    sizeProblem(value.length, minItems, maxItems, "entry", "entries") ||
    (uniqueItems === true && hasTwice(value) ? "Entries must differ from each other." : "")
  );
}

/** Whether values are equal; of objects with their members in another order only the server says so. @param {any[]} values */
function hasTwice(values) {
  return new Set(values.map((one) => JSON.stringify(one))).size < values.length;
}
