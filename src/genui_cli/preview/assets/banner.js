// The line across the page when the server is gone.

import { restart } from "./api.js";
import { el, icon } from "./dom.js";

export class Banner {
  constructor(place) {
    this.#place = place;
  }

  #place;

  hide() {
    this.#place.hidden = true;
    this.#place.replaceChildren();
  }

  /** The server is gone: why, its last words, and a way back. */
  ended({ reason, errorOutput = [] }) {
    const words = errorOutput.length
      ? el(
          "details",
          { open: "" },
          el("summary", {}, "What it last wrote to standard error"),
          el("pre", {}, errorOutput.join("\n")),
        )
      : null;
    const again = el(
      "button",
      { type: "button", class: "quiet", onclick: () => this.#again(again) },
      icon("reload"),
      "Start it again",
    );
    this.#show(
      el(
        "div",
        { class: "banner-line" },
        el("strong", {}, "The server is gone."),
        el("span", {}, reason),
        again,
      ),
      words,
    );
  }

  /** The preview itself does not answer. */
  lost(message) {
    this.#show(
      el("div", { class: "banner-line" }, el("strong", {}, "No connection."), el("span", {}, message)),
    );
  }

  #show(...parts) {
    this.#place.replaceChildren(...parts.filter(Boolean));
    this.#place.hidden = false;
  }

  async #again(button) {
    button.disabled = true;
    try {
      await restart();
    } catch (failure) {
      this.lost(failure.message);
    }
  }
}
