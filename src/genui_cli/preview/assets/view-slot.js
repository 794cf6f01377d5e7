// A place for one view: its card, and the host of what is in it.

import { Card } from "./card.js";
import { containerDimensions, hostContext, partOf } from "./host-context.js";
import { ViewHost } from "./view-host.js";

const SILENT_AFTER_MS = 8000;

export class ViewSlot {
  /** `card` and `chip` are elements; `events` are the view's, less those that only concern the card. */
  constructor({ card, chip }, { session, choices, toolNamed, events }) {
    this.card = new Card({ place: card, chip, onState: (state) => events.stated?.(state) });
    this.#place = card;
    this.#session = session;
    this.#choices = choices;
    this.#toolNamed = toolNamed;
    this.#events = events;
    this.card.onResize(() => this.#widthMayHaveChanged());
    choices.follow((name) => this.#chosen(name));
  }

  #place;
  #session;
  #choices;
  #toolNamed;
  #events;
  #width = 0;
  #host = null;

  /** Show `resource` as a view of `tool`, named by `id` for the view if there is one; returns its host. */
  hold(tool, resource, id) {
    this.#width = this.card.width;
    const host = new ViewHost({
      port: this.#session.sandboxPort,
      version: this.#session.version,
      kind: this.#choices.get("profile"),
      profile: this.#choices.profile,
      resource,
      label: `View of ${tool.name}`,
      context: hostContext({ tool, id, choices: this.#choices, width: this.#width }),
      toolNamed: this.#toolNamed,
      events: { ...this.#events, ...this.#cardEvents() },
    });
    this.#host = host;
    this.card.hold(host.element, { bordered: resource.prefersBorder !== false });
    setTimeout(() => this.#stillSilent(host), SILENT_AFTER_MS);
    return host;
  }

  /** Let the view that is there clean up, and take it away. */
  async clear() {
    const leaving = this.#host;
    this.#host = null;
    this.display("inline");
    if (!leaving) return;
    this.card.holdHeight();
    await leaving.close();
  }

  /** Show the view inline, over the whole page, or small in a corner. */
  display(mode) {
    this.#place.parentElement.dataset.mode = mode;
  }

  /** The person wants the view back in its place. */
  backInline() {
    this.display("inline");
    this.#host?.contextChanged({ displayMode: "inline" });
  }

  #cardEvents() {
    return {
      initialized: () => this.card.is("live"),
      sized: ({ height }) => this.#host && this.card.size(this.#host.element, height),
      displayed: (mode) => this.display(mode),
      leaving: () => this.#left(),
    };
  }

  async #left() {
    await this.clear();
    this.card.explain("none", "The view closed itself", "Reload it to open it again.");
    this.#events.left?.();
  }

  #stillSilent(host) {
    if (this.#host !== host || this.card.state !== "starting") return;
    this.card.is("silent");
    const seconds = SILENT_AFTER_MS / 1000;
    this.#events.diagnostic({
      kind: "host",
      text: `The view has not finished ui/initialize after ${seconds} s.`,
    });
  }

  #chosen(name) {
    const width = this.#choices.get("width");
    if (name === "width") this.#place.style.width = width === "full" ? "" : `${width}px`;
    const part = partOf(name, this.#choices);
    if (part) this.#host?.contextChanged(part);
  }

  #widthMayHaveChanged() {
    const { width } = this.card;
    // A card that is out of sight has no width.
    if (!this.#host || width === 0 || Math.abs(width - this.#width) < 1) return;
    this.#width = width;
    this.#host.contextChanged({ containerDimensions: containerDimensions(width) });
  }
}
