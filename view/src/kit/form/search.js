import { searchBox } from "../el.js";
import { plural } from "../format.js";
/** @import { Option } from "./choice.js" */

/** So many values are still looked through; more are searched. */
export const FEW = 40;
/** So many are shown at once. */
const MOST = 100;

/**
 * The options that contain a text, those that begin with it first.
 * @param {Option[]} options @param {string} text
 * @returns {{ found: Option[], count: string }} as many as are shown at once, and how many there are in words
 */
export function searchOptions(options, text) {
  const place = (/** @type {Option} */ [, words]) => words.toLowerCase().indexOf(text.trim().toLowerCase());
  const all = options.filter((one) => place(one) >= 0);
  const found = [...all.filter((one) => !place(one)), ...all.filter(place)].slice(0, MOST);
  const count = plural(all.length, "value");
  return { found, count: all.length > MOST ? `${count}, the first ${MOST} shown` : count };
}

/** A line that searches what stands below it. @param {string} label @param {(text: string) => void} search */
export function searchLine(label, search) {
  return searchBox("Search", (words) => search(words.toLowerCase()), {
    "aria-label": label,
    // Enter would run the tool.
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") event.preventDefault();
    },
  });
}
