// Keys for what is done often. They can be turned off: single letters are in the way of some ways to work.

import { el } from "./dom.js";
import { remember, remembered } from "./settings.js";

const FIXED = [
  ["Ctrl Enter", "Call the tool, from the arguments"],
  ["↑ ↓ Enter", "Walk and choose, in the list of tools"],
];

export class Shortcuts {
  /** `keys` maps a key to `[words, what it does]`. */
  constructor({ dialog, list, active, open }, keys) {
    this.#keys = keys;
    this.#active = active;
    this.#dialog = dialog;
    active.checked = remembered("shortcuts", "on") === "on";
    active.addEventListener("change", () => remember("shortcuts", active.checked ? "on" : "off"));
    open.addEventListener("click", () => this.explain());
    const rows = [...Object.entries(keys).map(([key, [words]]) => [key, words]), ...FIXED];
    list.replaceChildren(
      ...rows.flatMap(([key, words]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)]),
    );
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #keys;
  #active;
  #dialog;

  explain() {
    if (!document.querySelector("dialog[open]")) this.#dialog.showModal();
  }

  #pressed(event) {
    const typing = event.target.closest?.(
      "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog",
    );
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.#active.checked) return;
    const act = Object.hasOwn(this.#keys, event.key) ? this.#keys[event.key][1] : null;
    if (!act) return;
    event.preventDefault();
    act();
  }
}
