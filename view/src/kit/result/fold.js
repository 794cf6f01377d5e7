import { fold } from "../el.js";
/** @import { Child } from "../el.js" */
/** @import { Show } from "./show.js" */

/**
 * Something folded that stays as a person left it when a new result is drawn in its place.
 * @param {Show} show
 * @param {Child | Child[]} summary
 * @param {() => Child[]} make
 */
export function keptFold(show, summary, make) {
  const kept = show.remember("fold", { open: false });
  const details = fold(summary, make, kept.open);
  details.addEventListener("toggle", () => {
    kept.open = details.open;
  });
  return details;
}
