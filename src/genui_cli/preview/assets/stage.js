// The middle of the page: one tool's view, or in words why there is none.

import { titleOf, uiAddress } from "./tools.js";
import { readView } from "./view-resource.js";
import { ViewSlot } from "./view-slot.js";

/** The ids of what a page has for its stage. */
export const STAGE_PARTS = {
  card: "card",
  title: "view-title",
  address: "view-address",
  state: "view-state",
  reload: "view-reload",
  inline: "inline",
};

export class Stage {
  /** `events` are the view's, less those that only concern the card; `onReload` is what the button does, `onHeld(host)` hears of each view. */
  constructor(
    { card, title, address, state, reload, inline },
    { onReload, onHeld = () => {}, events, ...means },
  ) {
    Object.assign(this, { title, address, reload });
    this.#onHeld = onHeld;
    this.#slot = new ViewSlot(
      { card, chip: state },
      {
        ...means,
        events: {
          ...events,
          left: () => {
            this.#mounted = Promise.resolve(null);
          },
        },
      },
    );
    reload.addEventListener("click", onReload);
    inline.addEventListener("click", () => this.#slot.backInline());
  }

  #slot;
  #onHeld;
  #tool = null;
  #reading = new AbortController();
  #mounted = Promise.resolve(null);
  /** Names the view: a view that is loaded again keeps it. */
  #id = 1;

  /**
   * Mount the view of `tool` again, or a given `resource`; resolves to its host, or to null if it has no view or a
   * later call overtakes it.
   */
  show(tool, resource = null) {
    this.#reading.abort();
    this.#reading = new AbortController();
    if (this.#tool?.name !== tool.name) this.#id += 1;
    this.#tool = tool;
    this.title.textContent = titleOf(tool) ?? tool.name;
    this.address.textContent = uiAddress(tool) ?? "";
    this.reload.hidden = resource === null && uiAddress(tool) === null;
    this.#mounted = this.#mount(tool, resource, this.#reading.signal);
    return this.#mounted;
  }

  /** The view for one more call by the model: the mounted one if it was never called, else a new one. */
  async forACall() {
    const host = await this.#mounted;
    if (!host?.used) return host;
    this.#id += 1;
    return this.show(this.#tool);
  }

  /** In a word: what the card shows. */
  get state() {
    return this.#slot.card.state;
  }

  async #mount(tool, given, signal) {
    const { card } = this.#slot;
    await this.#slot.clear();
    if (signal.aborted) return null;
    if (given !== null) return this.#hold(tool, given);
    if (uiAddress(tool) === null) {
      card.explain("none", "This tool has no view", "Call it to see its result.");
      return null;
    }
    const reading = card.reading(uiAddress(tool));
    try {
      const resource = await readView(uiAddress(tool), signal, reading.progress);
      return signal.aborted ? null : this.#hold(tool, resource);
    } catch (failure) {
      if (!signal.aborted) this.#failed(failure);
      return null;
    } finally {
      reading.stop();
    }
  }

  #hold(tool, resource) {
    const host = this.#slot.hold(tool, resource, this.#id);
    this.#onHeld(host);
    return host;
  }

  #failed(failure) {
    const code = Number.isInteger(failure.code) ? `error ${failure.code}` : null;
    this.#slot.card.explain("failed", "The view could not be read", failure.message, code);
  }
}
