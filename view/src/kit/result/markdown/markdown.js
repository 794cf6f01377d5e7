import { el, quietButton } from "../../el.js";
import { byteSize } from "../../format.js";
import { min } from "../../plain.js";
import { Show } from "../show.js";
import { blocks } from "./blocks.js";

/**
 * Formatted text. Nothing in it becomes markup, nothing is loaded, and links go through the host.
 * A text above the page's limit is cut behind a line, with a way to see the rest.
 * @param {string} text
 * @param {{ show?: Show, level?: number }} [options] `level`: of the highest heading, 3 if left out
 * @returns {HTMLElement}
 */
export function markdown(text, { show = new Show(), level = 3 } = {}) {
  const source = text.replaceAll("\r", "").replace(/^---\n((?:#.*\n)?[\w-]+:.*\n(?:(?!---).+\n)*)---\n/, "```\n$1```\n");
  const heading = level - min(...(source.match(/^#{1,6}(?= )/gm) ?? ["#"]).map((marks) => marks.length));
  const seen = show.remember("markdown", { length: show.limit });
  const holder = el("div.markdown");
  const draw = () => {
    const end = seen.length < source.length ? source.indexOf("\n", seen.length) : -1;
    const nodes = blocks((end < 0 ? source : source.slice(0, end)).split("\n"), { show, heading, depth: 0 });
    const more = quietButton(`Show more (${byteSize(source.length - end)} left)`, () => { seen.length *= 4; draw(); });
    holder.replaceChildren(...end < 0 ? nodes : [...nodes, more]);
  };
  draw();
  return holder;
}
