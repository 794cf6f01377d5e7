import { entriesOf, isBranch } from "../../plain.js";

/** No one looks deeper than this. */
const MAX_DEPTH = 60;

/**
 * A value and everything in it, with the names it has there.
 * @param {any} value
 * @param {number} [depth] how far down
 * @returns {Generator<[name: string, value: any]>}
 */
export function* walk(value, depth = MAX_DEPTH, name = "") {
  yield [name, value];
  if (depth && isBranch(value))
    for (const [inner, one] of entriesOf(value)) yield* walk(one, depth - 1, inner);
}
