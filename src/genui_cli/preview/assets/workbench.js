// The page as a whole: what is chosen, and who hears of it.

import { linked, settle } from "./address.js";
import { comparedIn } from "./comparison.js";
import { has } from "./profiles.js";
import { bare, belongsToTheWrapper, listTools, uiAddress } from "./tools.js";

const SETTLE_MS = 120;

export class Workbench {
  /** `parts`: list, panes, listError, stage, panel, calls, refine, comparison, report, log, issues, about, forget, choices, diary. */
  constructor(parts) {
    Object.assign(this, parts);
    window.addEventListener("hashchange", () => this.#choose(this.#named(linked("tool"))));
    this.choices.follow((name) => name === "profile" && this.#chosen && this.#remount(this.#chosen));
  }

  #tools = [];
  #chosen = null;
  #settling = null;
  #updated = new Set();

  get tools() {
    return this.#tools;
  }

  toolNamed(name) {
    return this.#tools.find((tool) => tool.name === name);
  }

  get chosen() {
    return this.#chosen;
  }

  /** List the tools again; a chosen tool that changed is mounted again. */
  async refresh() {
    // A notification that comes while the list is on its way is for the next refresh.
    const updated = this.#updated;
    this.#updated = new Set();
    try {
      this.#tools = await listTools();
    } catch (failure) {
      this.listError(failure.message);
      for (const address of updated) this.#updated.add(address);
      return;
    }
    this.listError("");
    const before = this.#chosen;
    const now = this.#named(before?.name ?? linked("tool"));
    this.list.show(this.#tools, now?.name ?? null);
    if (!before || before.name !== now?.name) this.#choose(now);
    else if (JSON.stringify(before) !== JSON.stringify(now) || wasUpdated(now, updated)) this.#remount(now);
  }

  /** Mount the chosen view again, after the server came back. */
  restarted() {
    if (this.#chosen) this.#updated.add(bare(uiAddress(this.#chosen) ?? ""));
    return this.refresh();
  }

  /** Mount the chosen view again because the person wants it: as after a reload of a chat. */
  reload() {
    if (this.#chosen) this.#remount(this.#chosen, { forgets: has(this.choices.profile, "forgets") });
  }

  /** Take in a notification of the server; several in a row count as one change. */
  notified({ method, params }) {
    if (method === "notifications/resources/updated") this.#updated.add(bare(String(params?.uri ?? "")));
    else if (method !== "notifications/tools/list_changed") return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.refresh(), SETTLE_MS);
  }

  #named(name) {
    return (
      this.toolNamed(name) ?? this.#tools.find((tool) => !belongsToTheWrapper(tool)) ?? this.#tools[0] ?? null
    );
  }

  async #choose(tool) {
    if (!tool || tool === this.#chosen) return;
    if (this.#chosen) this.panes.open("view");
    const compared = this.#chosen ? null : comparedIn(linked("compare"));
    this.#chosen = tool;
    settle({ tool: tool.name });
    document.title = `${tool.name} – preview`;
    this.list.choose(tool.name);
    this.log.clear();
    this.issues.clear();
    this.forget();
    this.calls.leave();
    this.comparison.close();
    this.#describe(tool);
    await this.stage.show(tool);
    this.#report(tool);
    if (compared && this.#chosen === tool)
      this.comparison.open(tool, ...compared).catch(() => settle({ compare: null }));
  }

  async #remount(tool, how = {}) {
    this.#chosen = tool;
    this.#describe(tool);
    this.issues.clear();
    this.calls.replay(tool, await this.stage.show(tool), how);
    this.#report(tool);
  }

  #describe(tool) {
    this.panel.show(tool);
    this.about(tool);
    this.refine.show(tool);
    this.diary.describe({ tool: tool.name });
  }

  #report(tool) {
    if (this.#chosen === tool) this.report.show(tool);
  }
}

/** Whether the view of `tool` is at one of the updated addresses. */
function wasUpdated(tool, updated) {
  const address = uiAddress(tool);
  return address !== null && updated.has(bare(address));
}
