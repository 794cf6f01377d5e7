// The three parts of the page as tabs, where the window is too narrow to show them side by side.

import { Tabs } from "./tabs.js";

const NARROW = "(max-width: 999px)";

export class Panes {
  /** `bar` holds a tab for each part; the link `skip` moves the focus to `view`. */
  constructor({ bar, skip, view }) {
    this.#bar = bar;
    this.#tabs = new Tabs(bar, { showAll: () => !this.#narrow.matches });
    this.#narrow.addEventListener("change", () => this.#arrange());
    this.#arrange();
    skip.addEventListener("click", (event) => {
      event.preventDefault();
      this.open("view");
      view.focus();
    });
  }

  #bar;
  #tabs;
  #narrow = window.matchMedia(NARROW);

  open(name) {
    this.#tabs.open(`pane-${name}`);
  }

  #arrange() {
    this.#bar.hidden = !this.#narrow.matches;
    this.#tabs.renew();
  }
}
