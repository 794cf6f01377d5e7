import { button, el } from "../el.js";
import { byteSize } from "../format.js";

/**
 * Wrapped text, cut at a limit with a way to see the rest.
 * @param {string} text
 * @param {number} limit characters shown at first
 * @param {string} [look] class of the block
 * @returns {HTMLElement}
 */
export function textBlock(text, limit, look = "text") {
  const block = el("pre", { class: look, dir: "auto" }, text.slice(0, limit));
  if (text.length <= limit) return block;
  let shown = limit;
  const label = () => `Show more (${byteSize(text.length - shown)} left)`;
  const more = button(label(), () => {
    block.append(text.slice(shown, shown + limit * 4));
    shown += limit * 4;
    more.textContent = label();
    if (shown >= text.length) more.remove();
  }, { class: "quiet small" });
  return el("div", { class: "cut" }, block, more);
}
