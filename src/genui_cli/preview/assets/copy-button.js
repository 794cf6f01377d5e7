// A button that copies, and says whether it could.

import { el, icon } from "./dom.js";

/** `text()` is what is copied. */
export function copyButton(text, label = "Copy") {
  const words = el("span", {}, label);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      words.textContent = "Copied";
    } catch {
      words.textContent = "Not allowed";
    }
    setTimeout(() => {
      words.textContent = label;
    }, 1500);
  };
  return el("button", { class: "quiet small", type: "button", onclick: copy }, icon("copy"), words);
}
