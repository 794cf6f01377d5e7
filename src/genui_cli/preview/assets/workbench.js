// The page as a whole: what is chosen, and who hears of it.

import { chosenName, settleOn } from "./address.js";
import { belongsToTheWrapper, bare, listTools, uiAddress } from "./tools.js";

const SETTLE_MS = 120;

export class Workbench {
  /** `parts`: list, listError, stage, panel, calls, refine, log, issues, about. */
  constructor(parts) {
    Object.assign(this, parts);
    window.addEventListener("hashchange", () => this.#choose(this.#named(chosenName())));
  }

  #tools = [];
  #chosen = null;
  #settling = null;
  #updated = new Set();

  toolNamed(name) {
    return this.#tools.find((tool) => tool.name === name);
  }

  get chosen() {
    return this.#chosen;
  }

  /** List the tools again; a chosen tool that changed is mounted again. */
  async refresh() {
    try {
      this.#tools = await listTools();
    } catch (failure) {
      this.listError(failure.message);
      return;
    }
    this.listError("");
    const before = this.#chosen;
    const now = this.#named(before?.name ?? chosenName());
    this.list.show(this.#tools, now?.name ?? null);
    if (!before || before.name !== now?.name) this.#choose(now);
    else if (JSON.stringify(before) !== JSON.stringify(now) || this.#wasUpdated(now)) this.#remount(now);
    this.#updated.clear();
  }

  /** Mount the chosen view again, after the server came back. */
  restarted() {
    if (this.#chosen) this.#updated.add(bare(uiAddress(this.#chosen) ?? ""));
    return this.refresh();
  }

  /** Take in a notification of the server; several in a row count as one change. */
  notified({ method, params }) {
    if (method === "notifications/resources/updated") this.#updated.add(bare(String(params?.uri ?? "")));
    else if (method !== "notifications/tools/list_changed") return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.refresh(), SETTLE_MS);
  }

  #wasUpdated(tool) {
    const address = uiAddress(tool);
    return address !== null && this.#updated.has(bare(address));
  }

  #named(name) {
    return this.toolNamed(name) ?? this.#tools.find((tool) => !belongsToTheWrapper(tool)) ?? this.#tools[0] ?? null;
  }

  #choose(tool) {
    if (!tool || tool === this.#chosen) return;
    this.#chosen = tool;
    settleOn(tool.name);
    document.title = `${tool.name} – preview`;
    this.list.choose(tool.name);
    this.log.clear();
    this.issues.clear();
    this.calls.leave();
    this.#describe(tool);
    this.stage.show(tool);
  }

  async #remount(tool) {
    this.#chosen = tool;
    this.#describe(tool);
    this.issues.clear();
    this.calls.replay(tool, await this.stage.show(tool));
  }

  #describe(tool) {
    this.panel.show(tool);
    this.about(tool);
    this.refine.show(tool, this.#tools);
  }
}
