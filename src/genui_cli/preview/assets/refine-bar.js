// A box for plain words about the view, and a button for two new ones; the wrapper's own tools do the work.

import { el } from "./dom.js";
import { belongsToTheWrapper, bringsItsOwnView, uiAddress } from "./tools.js";

export class RefineBar {
  /** `onCompare(before, after)` is what the button to compare does: two numbers of versions. */
  constructor(
    { form, input, button, variants, cancel, status, steps, compare },
    { desk, diary, hasModel, onCompare },
  ) {
    Object.assign(this, { form, input, button, variants, cancel, status, steps, compare });
    this.#desk = desk;
    this.#diary = diary;
    this.#hasModel = hasModel;
    this.#onCompare = onCompare;
    for (const control of [input, button, variants]) if (control) control.disabled = !hasModel;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#refine();
    });
    variants?.addEventListener("click", () => this.#makeTwo());
    cancel.addEventListener("click", () => this.#underWay?.abort());
    compare.addEventListener("click", () => onCompare(this.#made.before, this.#made.after));
  }

  #desk;
  #diary;
  #hasModel;
  #onCompare;
  #tool = null;
  #underWay = null;
  #made = null;

  /** Offer refinement of `tool`, where the server has the means and the view is the wrapper's. */
  show(tool) {
    const isAnother = this.#tool?.name !== tool.name;
    this.#tool = tool;
    this.form.hidden =
      !this.#desk.has("_ui_refine") ||
      belongsToTheWrapper(tool) ||
      uiAddress(tool) === null ||
      bringsItsOwnView(tool);
    if (!this.#underWay) this.#offer(true);
    if (!this.#hasModel) this.#say(NO_MODEL);
    else if (isAnother) this.#say("");
  }

  async #refine() {
    const feedback = this.input.value.trim();
    if (!feedback) return;
    const tool = this.#tool;
    const made = await this.#run(
      "Refining; the view stays until the new one is ready…",
      (...how) => this.#desk.refine(tool.name, feedback, ...how),
      { feedback },
    );
    if (made) this.input.value = "";
  }

  /** Have two variants made, and show both on the same data. */
  async #makeTwo() {
    const tool = this.#tool;
    const made = await this.#run("Making two variants; the view stays until they are ready…", (...how) =>
      this.#desk.twoVariants(tool.name, ...how),
    );
    const [before, after] = made?.structuredContent?.variants ?? [];
    if (after && tool.name === this.#tool.name) this.#onCompare(before, after);
  }

  /** Change the view, and show how that goes; returns the result unless it failed. */
  async #run(text, change, about = {}) {
    if (this.#underWay) return null;
    const tool = this.#tool;
    const abort = (this.#underWay = new AbortController());
    const stopClock = this.#running(text);
    try {
      const before = await this.#present(tool);
      const result = await change(abort.signal, (words) => this.#step(words));
      const failed = result.isError || result.structuredContent?.status === "failed";
      this.#diary.note("refined", { tool: tool.name, ...about, result });
      this.#finish(tool, words(result), failed ? null : { before, after: await this.#present(tool) });
      return failed ? null : result;
    } catch (failure) {
      this.#finish(
        tool,
        abort.signal.aborted ? "Cancelled; the view stays as it was." : failure.message,
        null,
      );
      return null;
    } finally {
      stopClock();
      this.#underWay = null;
      this.#offer(true);
    }
  }

  /** Offer what may be done, or the end of what is being done. */
  #offer(on) {
    this.button.hidden = !on;
    if (this.variants) this.variants.hidden = !on || !this.#desk.has("_ui_regenerate");
    this.cancel.hidden = on;
  }

  async #present(tool) {
    return (await this.#desk.versions(tool.name)).find(({ isPresent }) => isPresent)?.version;
  }

  /** Show that it runs, and for how long; the returned function stops the clock. */
  #running(text) {
    const began = performance.now();
    const tick = () => {
      this.status.dataset.clock = `${Math.floor((performance.now() - began) / 1000)} s`;
    };
    this.#say(text);
    this.#offer(false);
    tick();
    const timer = setInterval(tick, 1000);
    return () => {
      clearInterval(timer);
      delete this.status.dataset.clock;
    };
  }

  #step(words) {
    this.steps.append(el("li", {}, words));
  }

  #finish(tool, text, made) {
    if (tool.name !== this.#tool.name) return;
    this.status.textContent = text;
    this.#made = made;
    this.compare.hidden = !(made?.before && made.after && made.before !== made.after);
  }

  #say(text) {
    this.status.textContent = text;
    this.steps.replaceChildren();
    this.compare.hidden = true;
  }
}

const NO_MODEL =
  "No model: connect one. Start the preview with --llm NAME, or set a provider's key, such as ANTHROPIC_API_KEY.";

/** The outcome as a sentence: from the wrapper's answer, or from the text of any server. */
function words({ structuredContent: told, content, isError }) {
  if (isError || !told?.status) return content?.find(({ type }) => type === "text")?.text ?? "Done.";
  return OUTCOMES[told.status]?.(told) ?? told.status;
}

const OUTCOMES = {
  done: ({ seconds, variants }) => `Done, in ${seconds} seconds.${variants ? " Keep one of them." : ""}`,
  running: ({ seconds }) =>
    `Not done after ${seconds} seconds; it goes on, and the view changes when it is ready.`,
  failed: ({ reason }) => `The view stays as it was: ${reason}`,
};
