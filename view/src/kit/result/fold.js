import { fold } from "../el.js";
/** @import { Child } from "../el.js" */
/** @import { Show } from "./show.js" */

/**
 * Something folded that stays as a person left it when a new result is drawn in its place.
 * @param {Show} show
 * @param {Child | Child[]} summary
 * @param {() => Child[]} make
 * @param {boolean} [open] while no one has touched it
 */
export function keptFold(show, summary, make, open = false) {
  const kept = show.remember("fold", { open: /** @type {boolean | undefined} */ (undefined) });
  const details = fold(summary, make, kept.open ?? open);
  details.addEventListener("toggle", () => {
    if (details.open !== (kept.open ?? open)) kept.open = details.open;
  });
  return details;
}
