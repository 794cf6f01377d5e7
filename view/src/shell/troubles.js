import { el } from "../kit/el.js";
import { messageOf } from "../kit/plain.js";

/**
 * Tells the person what went wrong after a view was drawn, in a handler or in a promise that no one
 * waited for, such as a call that was refused.
 * @param {(words: HTMLElement) => void} put the words, which take the place of those before
 */
export function watchTroubles(put) {
  const words = el("p.error-line", { role: "alert" });
  const tell = (/** @type {Event} */ event, /** @type {unknown} */ error) => {
    // Without an error it is the browser's own complaint, such as of a loop of resizes.
    if (!error) return;
    event.preventDefault();
    console.warn(error);
    words.textContent = `Something went wrong: ${messageOf(error)}`;
    put(words);
  };
  window.addEventListener("error", (event) => tell(event, event.error));
  window.addEventListener("unhandledrejection", (event) => tell(event, event.reason));
}
