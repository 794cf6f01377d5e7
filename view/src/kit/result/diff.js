import { el } from "../el.js";
import { textBlock } from "./text.js";
/** @import { Show } from "./show.js" */

/** Where a hunk begins, with how many old and new lines it has. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Whether a text is a unified diff, or one that marks each of its lines. @param {string} text */
export function isDiff(text) {
  if (/^(--- |\+\+\+ |diff --git )/m.test(text) && RegExp(HUNK, "m").test(text)) return true;
  return /^\+ /m.test(text) && /^- /m.test(text) && /^ {2}\S/m.test(text) && text.trimEnd().split("\n").every((line) => /^([ +-] |$)/.test(line));
}

/**
 * A diff with its added and removed lines marked. The signs stay: colour is not all there is.
 * @param {string} text @param {Show} show
 * @returns {HTMLElement}
 */
export function diffBlock(text, show) {
  const hunked = RegExp(HUNK, "m").test(text);
  /** How many lines of the hunk are still to come. */
  let old = hunked ? 0 : Infinity;
  let fresh = old;
  const paint = (/** @type {string} */ line) => {
    const [hunk, olds = 1, news = 1] = HUNK.exec(line) ?? [];
    if (hunk) [old, fresh] = [+olds, +news];
    if (hunk || (old <= 0 && fresh <= 0) || line[0] === "\\") return el("span.none", line);
    if (line[0] !== "+") old--;
    if (line[0] !== "-") fresh--;
    return line[0] === "+" ? el("ins", line) : el(line[0] === "-" ? "del" : "span", line);
  };
  return textBlock(text, show.limit, "text code columns diff", (piece) => (piece.match(/.*\n|.+$/g) ?? []).map(paint));
}
