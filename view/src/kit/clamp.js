import { button, el, newId } from "./el.js";

const LONG = 200;
const LINES = 3;

/**
 * A paragraph of text; a long one shows its beginning and a button for the rest.
 * @param {string} text newlines are kept
 * @param {string} look class of the paragraph
 * @returns {{ paragraph: HTMLElement, toggle: HTMLElement | null }}
 */
export function clampedText(text, look) {
  const paragraph = el("p", { class: look, id: newId(), dir: "auto" }, text);
  if (text.length <= LONG && text.split("\n").length < LINES) return { paragraph, toggle: null };
  paragraph.classList.add("clamped");
  const toggle = button("More", () => {
    const open = !paragraph.classList.toggle("clamped");
    toggle.textContent = open ? "Less" : "More";
    toggle.setAttribute("aria-expanded", String(open));
  }, { class: "quiet more", "aria-expanded": "false", "aria-controls": paragraph.id });
  return { paragraph, toggle };
}
