import { el, quietButton, stack } from "../el.js";
import { byteSize } from "../format.js";

/** What a button says that shows more of a text. @param {number} left characters */
export function moreWords(left) {
  return `Show more (${byteSize(left)} left)`;
}

/**
 * Text with its lines as they are, cut behind a line at a limit, with a way to see the rest.
 * @param {string} text
 * @param {number} limit characters shown at first
 * @param {string} [look] class of the block
 * @param {(piece: string) => (Node | string)[]} [paint] makes nodes of whole lines
 * @returns {HTMLElement}
 */
export function textBlock(text, limit, look = "text", paint = (piece) => [piece]) {
  const block = el("pre", { class: look, tabindex: look === "text" ? null : 0 });
  let shown = 0;
  const more = quietButton("", () => grow(limit * 4));
  const grow = (/** @type {number} */ by) => {
    const end = shown + by < text.length ? text.lastIndexOf("\n", shown + by - 1) + 1 : 0;
    const from = shown;
    shown = end > from ? end : from + by;
    // No font has a sign for the bell: as `\a` it came out of a path in a program's source.
    for (const node of paint(text.slice(from, shown).replace(/\x07/g, "\\a"))) block.append(node);
    more.textContent = moreWords(text.length - shown);
    if (shown >= text.length) more.remove();
  };
  grow(limit);
  return text.length > limit ? stack(block, more) : block;
}
