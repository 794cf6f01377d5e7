// The card that holds a view, and the words in it while there is none.

import { el, icon } from "./dom.js";
import { TALLEST } from "./host-context.js";

const STATES = {
  none: "no view",
  reading: "reading",
  starting: "starting",
  live: "live",
  silent: "silent",
  failed: "failed",
};

export class Card {
  /** `place` is the card, `chip` the word beside its heading; `onState` hears of the word. */
  constructor({ place, chip, onState }) {
    this.#place = place;
    this.#chip = chip;
    this.#onState = onState;
  }

  #place;
  #chip;
  #onState;

  get width() {
    return this.#place.clientWidth;
  }

  get state() {
    return this.#place.dataset.state;
  }

  is(state) {
    this.#place.dataset.state = state;
    this.#chip.dataset.state = state;
    this.#chip.textContent = STATES[state];
    this.#onState?.(state);
  }

  onResize(listener) {
    new ResizeObserver(listener).observe(this.#place);
  }

  /** Keep the height there is, so that the page does not jump while the next view starts. */
  holdHeight() {
    this.#place.style.minHeight = `${this.#place.clientHeight}px`;
  }

  hold(frame, { bordered }) {
    this.is("starting");
    this.#place.classList.toggle("borderless", !bordered);
    this.#place.replaceChildren(frame);
  }

  /** Make the frame as tall as its view says it is. */
  size(frame, height) {
    if (!Number.isFinite(height)) return;
    frame.style.height = `${Math.min(Math.max(Math.ceil(height), 0), TALLEST)}px`;
    this.#place.style.minHeight = "";
  }

  /** Say that `address` is being read, for how long, and what the server reports; `stop()` stops the clock. */
  reading(address) {
    const clock = el("span", { class: "clock" });
    const began = performance.now();
    const tick = () => {
      clock.textContent = `${Math.floor((performance.now() - began) / 1000)} s`;
    };
    const timer = setInterval(tick, 1000);
    this.is("reading");
    const doing = el("strong", {}, "Reading the view");
    this.#say(el("span", { class: "pulse" }), doing, el("code", {}, address), clock);
    return {
      progress: ({ message }) => {
        if (message) doing.textContent = message;
      },
      stop: () => clearInterval(timer),
    };
  }

  explain(state, heading, text, code = null) {
    this.is(state);
    this.#place.style.minHeight = "";
    this.#say(
      icon("frame"),
      el("strong", {}, heading),
      el("p", {}, text),
      code === null ? null : el("code", {}, code),
    );
  }

  #say(...parts) {
    this.#place.replaceChildren(el("div", { class: "notice", role: "status" }, parts));
  }
}
