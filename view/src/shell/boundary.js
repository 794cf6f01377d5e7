import { el } from "../kit/el.js";

/**
 * Runs a part of the page; what it throws becomes a line of text instead of a blank page.
 * @template T
 * @param {HTMLElement} parent where the line goes
 * @param {string} what "the form", for the line
 * @param {() => T} part
 * @returns {T | undefined}
 */
export function guarded(parent, what, part) {
  try {
    return part();
  } catch (error) {
    parent.append(el("p", { class: "error-panel", role: "alert" }, `Something went wrong in ${what}: ${error instanceof Error ? error.message : error}`));
    return undefined;
  }
}
