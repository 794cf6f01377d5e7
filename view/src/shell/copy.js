import { el } from "../kit/el.js";

/** Puts a text on the clipboard, also from a page which may not use the clipboard's own API. @param {string} text */
export function copyText(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = el("textarea.visually-hidden", { "aria-hidden": "true" }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  focused?.focus();
}
