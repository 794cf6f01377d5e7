// The middle of the page: one tool's view in a card, or in words why there is none.

import { Card } from "./card.js";
import { containerDimensions, hostContext } from "./host-context.js";
import { titleOf, uiAddress } from "./tools.js";
import { ViewHost } from "./view-host.js";
import { readView } from "./view-resource.js";

const SILENT_AFTER_MS = 8000;

export class Stage {
  /** `events` are the view's, less those that only concern the card. */
  constructor({ card, title, address, state, reload }, { session, toolNamed, events }) {
    Object.assign(this, { title, address, reload });
    this.#card = new Card({ place: card, chip: state });
    this.#session = session;
    this.#toolNamed = toolNamed;
    this.#events = events;
    reload.addEventListener("click", () => this.#tool && this.show(this.#tool));
    this.#card.onResize(() => this.#widthMayHaveChanged());
  }

  #card;
  #session;
  #toolNamed;
  #events;
  #tool = null;
  #theme = "light";
  #width = 0;
  #reading = new AbortController();
  #host = null;
  #mounted = Promise.resolve(null);

  /** Mount the view of `tool` anew; resolves to its host, or to null when it has none or is overtaken. */
  show(tool) {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#tool = tool;
    this.title.textContent = titleOf(tool) ?? tool.name;
    this.address.textContent = uiAddress(tool) ?? "";
    this.reload.hidden = uiAddress(tool) === null;
    this.#mounted = this.#mount(tool, this.#reading.signal);
    return this.#mounted;
  }

  /** The view for one more call by the model: the mounted one if it was never called, else a new one. */
  async forACall() {
    const host = await this.#mounted;
    return host?.used ? this.show(this.#tool) : host;
  }

  setTheme(theme) {
    this.#theme = theme;
    this.#host?.contextChanged({ theme });
  }

  async #mount(tool, signal) {
    await this.#unmount();
    if (signal.aborted) return null;
    if (uiAddress(tool) === null) {
      this.#card.explain("none", "This tool has no view", "Call it to see its raw result.");
      return null;
    }
    const stopClock = this.#card.reading(uiAddress(tool));
    try {
      const resource = await readView(uiAddress(tool), signal);
      return signal.aborted ? null : this.#place(tool, resource);
    } catch (failure) {
      if (!signal.aborted) this.#failed(failure);
      return null;
    } finally {
      stopClock();
    }
  }

  async #unmount() {
    const leaving = this.#host;
    this.#host = null;
    if (!leaving) return;
    this.#card.holdHeight();
    await leaving.close();
  }

  #place(tool, resource) {
    this.#width = this.#card.width;
    const host = new ViewHost({
      port: this.#session.sandboxPort,
      version: this.#session.version,
      resource,
      label: `View of ${tool.name}`,
      context: hostContext({ tool, theme: this.#theme, width: this.#width }),
      toolNamed: this.#toolNamed,
      events: { ...this.#events, ...this.#cardEvents() },
    });
    this.#host = host;
    this.#card.hold(host.element, { bordered: resource.prefersBorder !== false });
    setTimeout(() => this.#stillSilent(host), SILENT_AFTER_MS);
    return host;
  }

  #cardEvents() {
    return {
      initialized: () => this.#card.is("live"),
      sized: ({ height }) => this.#host && this.#card.size(this.#host.element, height),
      leaving: () => this.#left(),
    };
  }

  async #left() {
    await this.#unmount();
    this.#mounted = Promise.resolve(null);
    this.#card.explain("none", "The view closed itself", "Reload it to open it again.");
  }

  #stillSilent(host) {
    if (this.#host !== host || this.#card.state !== "starting") return;
    this.#card.is("silent");
    const seconds = SILENT_AFTER_MS / 1000;
    this.#events.diagnostic({ kind: "host", text: `The view has not finished ui/initialize after ${seconds} s.` });
  }

  #widthMayHaveChanged() {
    const { width } = this.#card;
    if (!this.#host || Math.abs(width - this.#width) < 1) return;
    this.#width = width;
    this.#host.contextChanged({ containerDimensions: containerDimensions(width) });
  }

  #failed(failure) {
    const code = Number.isInteger(failure.code) ? `error ${failure.code}` : null;
    this.#card.explain("failed", "The view could not be read", failure.message, code);
  }
}
