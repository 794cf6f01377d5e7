// Before and after: two versions of a view side by side, with the same data.

import { settle } from "./address.js";
import { el } from "./dom.js";
import { readView } from "./view-resource.js";
import { uiAddress } from "./tools.js";
import { ViewSlot } from "./view-slot.js";

export class Comparison {
  /** `replay(tool, host)` gives a view its data; `onRollBack(version)` and `onClosed()` notify the page. */
  constructor({ section, close, sides }, { desk, replay, onRollBack, onClosed, ...means }) {
    this.#section = section;
    this.#desk = desk;
    this.#replay = replay;
    this.#onClosed = onClosed;
    this.#sides = sides.map((parts) => ({ ...parts, slot: new ViewSlot(parts, means) }));
    for (const side of this.#sides) {
      side.select.addEventListener("change", () => this.#show(side));
      side.keep.addEventListener("click", () => onRollBack(Number(side.select.value)));
    }
    close.addEventListener("click", () => this.close());
    means.choices.follow((name) => name === "profile" && this.isOpen && this.#showAll());
  }

  #section;
  #desk;
  #replay;
  #onClosed;
  #sides;
  #tool = null;

  get isOpen() {
    return !this.#section.hidden;
  }

  /** Show two versions of the view of `tool`. */
  async open(tool, before, after) {
    const versions = await this.#desk.versions(tool.name);
    this.#tool = tool;
    this.#section.hidden = false;
    for (const [side, chosen] of [
      [this.#sides[0], before],
      [this.#sides[1], after],
    ])
      offer(side, versions, chosen);
    await this.#showAll();
  }

  async close() {
    if (!this.isOpen) return;
    this.#section.hidden = true;
    settle({ compare: null });
    await Promise.all(this.#sides.map(({ slot }) => slot.clear()));
    this.#onClosed();
  }

  /** Give both views the data of a new call. */
  renew() {
    return this.isOpen ? this.#showAll() : null;
  }

  #showAll() {
    return Promise.all(this.#sides.map((side) => this.#show(side)));
  }

  async #show({ slot, select, keep }) {
    const tool = this.#tool;
    const option = select.selectedOptions[0];
    keep.hidden = option !== undefined && "present" in option.dataset;
    settle({ compare: this.#sides.map((side) => side.select.value).join(",") });
    await slot.clear();
    const reading = slot.card.reading(`version ${select.value}`);
    try {
      const [served, { page }] = await Promise.all([
        readView(uiAddress(tool)),
        this.#desk.version(tool.name, Number(select.value)),
      ]);
      this.#replay(tool, slot.hold(tool, { ...served, html: page }));
    } catch (failure) {
      slot.card.explain("failed", "This version could not be read", failure.message);
    } finally {
      reading.stop();
    }
  }
}

function offer({ select }, versions, chosen) {
  select.replaceChildren(
    ...versions.map(({ version, occasion, isPresent }) =>
      el(
        "option",
        { value: version, selected: version === chosen, "data-present": isPresent },
        `${version}: ${occasion}${isPresent ? " (shown now)" : ""}`,
      ),
    ),
  );
}

/** The two versions that a link names, or null. */
export function comparedIn(text) {
  const numbers = (text ?? "").split(",").map(Number);
  return numbers.length === 2 && numbers.every((each) => Number.isInteger(each) && each > 0) ? numbers : null;
}
