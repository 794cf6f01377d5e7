import { el } from "../kit/el.js";
import { messageOf } from "../kit/plain.js";

/**
 * Runs a part of the page; what it throws becomes a line of text instead of a blank page.
 * @param {HTMLElement} parent where the line goes
 * @param {string} what "the form", for the line
 * @param {() => void} part
 */
export function guarded(parent, what, part) {
  try {
    part();
  } catch (error) {
    parent.append(el("p.failure", { role: "alert" }, `Something went wrong in ${what}: ${messageOf(error)}`));
  }
}
