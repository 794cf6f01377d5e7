// What there is to know of a view: who wrote it, what the checks found, its versions, its source.

import { copyButton } from "./copy-button.js";
import { el } from "./dom.js";
import { finding } from "./finding.js";
import { belongsToTheWrapper, bringsItsOwnView, uiAddress } from "./tools.js";
import { versionRow } from "./version-row.js";

const STATES = {
  minimal: "The adaptive view: made from the schema and the data, no model involved.",
  provisional: "The adaptive view, until the model has finished the new one.",
  generated: "Written by a model, and checked.",
  fallback: "The adaptive view, because no other could be had.",
};

export class ViewReport {
  /** `onCompare(before, after)` and `onRollBack(version)` are what the buttons of a version do. */
  constructor({ place, count, compare }, { desk, onCompare, onRollBack }) {
    this.#place = place;
    this.#count = count;
    this.#desk = desk;
    this.#onCompare = onCompare;
    this.#onRollBack = onRollBack;
    this.#compare = compare;
    compare.addEventListener("click", () => this.#last && onCompare(...this.#last));
  }

  #place;
  #count;
  #desk;
  #onCompare;
  #onRollBack;
  #compare;
  /** The version shown now and the one before it, in the order of before and after. */
  #last = null;
  #newest = 0;

  /** Show the facts about the view of `tool`; drop answers about a tool that is no longer selected. */
  async show(tool) {
    const own = (this.#newest += 1);
    this.#count.textContent = "";
    this.#offer([]);
    const silence = this.#reasonForSilence(tool);
    if (silence) {
      this.#place.replaceChildren(el("p", { class: "nothing" }, silence));
      return;
    }
    try {
      const [facts, versions] = await Promise.all([
        this.#desk.inspect(tool.name),
        this.#desk.versions(tool.name),
      ]);
      if (own === this.#newest) this.#fill(tool, facts, versions);
    } catch (failure) {
      if (own === this.#newest) this.#place.replaceChildren(el("p", { class: "complaint" }, failure.message));
    }
  }

  #reasonForSilence(tool) {
    if (belongsToTheWrapper(tool) || uiAddress(tool) === null) return "This tool has no view.";
    if (bringsItsOwnView(tool)) return "The view comes with the upstream; nothing is known of it here.";
    return this.#desk.has("_ui_inspect") ? null : "This server does not tell of its views.";
  }

  #fill(tool, facts, versions) {
    const findings = facts.findings ?? [];
    this.#count.textContent = findings.length ? String(findings.length) : "";
    this.#offer(versions);
    this.#place.replaceChildren(
      el("p", { class: "view-words" }, STATES[facts.state] ?? facts.state),
      ...(facts.fallbackReason
        ? [el("p", { class: "reason" }, el("strong", {}, "Why: "), facts.fallbackReason)]
        : []),
      factList(facts),
      el("h3", {}, "Findings"),
      findings.length
        ? el("ul", { class: "finding-list" }, findings.map(finding))
        : el("p", { class: "nothing" }, "The checks had nothing to say."),
      el("h3", {}, "Versions"),
      versions.length
        ? el("ol", { class: "version-list", reversed: true }, this.#rows(versions))
        : el("p", { class: "nothing" }, "No version was written yet."),
      ...(versions.length ? this.#source(tool, versions) : []),
    );
  }

  #offer(versions) {
    const here = versions.findIndex(({ isPresent }) => isPresent);
    const other = versions[here - 1] ?? versions[here + 1];
    this.#last = here >= 0 && other ? [other.version, versions[here].version] : null;
    this.#compare.hidden = this.#last === null;
  }

  #rows(versions) {
    const present = versions.find(({ isPresent }) => isPresent)?.version ?? null;
    return versions.toReversed().map((version) =>
      versionRow(version, {
        onCompare:
          present === null || version.isPresent ? null : () => this.#onCompare(version.version, present),
        onRollBack: version.isPresent ? null : () => this.#onRollBack(version.version),
      }),
    );
  }

  #source(tool, versions) {
    const { version } = versions.find(({ isPresent }) => isPresent) ?? versions.at(-1);
    const reading = () => this.#desk.version(tool.name, version);
    const text = el("pre", { class: "json source", tabindex: "0", role: "region", "aria-label": "Source" });
    const details = el("details", {}, el("summary", {}, `What was written, version ${version}`), text);
    details.addEventListener(
      "toggle",
      async () => {
        try {
          text.textContent = (await reading()).source || "Nothing: this is the adaptive view.";
        } catch (failure) {
          text.textContent = failure.message;
        }
      },
      { once: true },
    );
    return [
      el(
        "div",
        { class: "source-head" },
        el("h3", {}, "Source"),
        copyButton(async () => (await reading()).source),
        copyButton(async () => (await reading()).page, "Copy page"),
      ),
      details,
    ];
  }
}

function factList({
  llmModel,
  generatedAt,
  generationDurationMs,
  promptVersion,
  templateVersion,
  repairs,
  cached,
  requestId,
}) {
  const rows = [
    ["Written by", llmModel],
    [
      "Finished",
      generatedAt && `${new Date(generatedAt).toLocaleString()}, in ${duration(generationDurationMs)}`,
    ],
    ["Repairs", repairs?.length && repairs.join(", ")],
    ["Made with", `prompts ${promptVersion}, page ${templateVersion}${cached ? "; in the cache" : ""}`],
    ["Request", requestId],
  ];
  return el(
    "dl",
    { class: "fact-list" },
    rows.filter(([, value]) => value).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return `${(milliseconds / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
}
