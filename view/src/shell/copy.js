import { el } from "../kit/el.js";

/** Puts a text on the clipboard, also from a page which may not use the clipboard's own API; the button that did it is marked until it is left. @param {string} text */
export function copyText(text) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = el("textarea.unseen", { "aria-hidden": "true" }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  if (!focused) return;
  focused.focus();
  focused.dataset.copied = "";
  focused.onblur = () => focused.removeAttribute("data-copied");
}
