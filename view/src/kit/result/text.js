import { el, quietButton } from "../el.js";
import { byteSize } from "../format.js";

/**
 * Wrapped text, cut at a limit with a way to see the rest.
 * @param {string} text
 * @param {number} limit characters shown at first
 * @param {string} [look] class of the block
 * @returns {HTMLElement}
 */
export function textBlock(text, limit, look = "text") {
  const block = el("pre", { class: look });
  let shown = 0;
  const more = quietButton("", () => grow(limit * 4));
  const grow = (/** @type {number} */ by) => {
    block.append(text.slice(shown, shown += by));
    more.textContent = `Show more (${byteSize(text.length - shown)} left)`;
    if (shown >= text.length) more.remove();
  };
  grow(limit);
  return text.length > limit ? el("div.stack", block, more) : block;
}
