// Tabs as the accessibility guide has them: one stop for Tab, arrows between.

export class Tabs {
  /** `showAll()` tells whether every panel is visible, whatever tab is chosen. */
  constructor(bar, { showAll = () => false } = {}) {
    this.#showAll = showAll;
    this.#tabs = [...bar.querySelectorAll("[role=tab]")];
    bar.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (tab) this.#open(tab);
    });
    bar.addEventListener("keydown", (event) => this.#walk(event));
  }

  #tabs;
  #showAll;

  open(id) {
    this.#open(this.#tabs.find((tab) => tab.id === id));
  }

  /** Show and hide the panels again, as the chosen tab and `showAll()` say now. */
  renew() {
    this.#open(this.#tabs.find((tab) => tab.getAttribute("aria-selected") === "true"));
  }

  #open(chosen) {
    for (const tab of this.#tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen && !this.#showAll();
    }
  }

  #walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const here = this.#tabs.indexOf(document.activeElement);
    const next = this.#tabs[(here + step + this.#tabs.length) % this.#tabs.length];
    this.#open(next);
    next.focus();
    event.preventDefault();
  }
}
