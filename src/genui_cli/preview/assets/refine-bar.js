// A box for plain words about the view; the wrapper's own tool does the work.

import { el } from "./dom.js";
import { belongsToTheWrapper, bringsItsOwnView, uiAddress } from "./tools.js";

export class RefineBar {
  /** `onCompare(before, after)` is what the button to compare does: two numbers of versions. */
  constructor({ form, input, button, cancel, status, steps, compare }, { desk, diary, hasModel, onCompare }) {
    Object.assign(this, { form, input, button, cancel, status, steps, compare });
    this.#desk = desk;
    this.#diary = diary;
    this.#hasModel = hasModel;
    input.disabled = button.disabled = !hasModel;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    cancel.addEventListener("click", () => this.#underWay?.abort());
    compare.addEventListener("click", () => onCompare(this.#made.before, this.#made.after));
  }

  #desk;
  #diary;
  #hasModel;
  #tool = null;
  #underWay = null;
  #made = null;

  /** Offer refinement of `tool`, where the server has the means and the view is the wrapper's. */
  show(tool) {
    const isAnother = this.#tool?.name !== tool.name;
    this.#tool = tool;
    this.form.hidden = !this.#desk.has("_ui_refine") || belongsToTheWrapper(tool) || uiAddress(tool) === null || bringsItsOwnView(tool);
    if (!this.#hasModel) this.#say(NO_MODEL);
    else if (isAnother) this.#say("");
  }

  async #submit() {
    const feedback = this.input.value.trim();
    if (!feedback || this.#underWay) return;
    const tool = this.#tool;
    const abort = (this.#underWay = new AbortController());
    const stopClock = this.#running();
    try {
      const before = await this.#present(tool);
      const result = await this.#desk.refine(tool.name, feedback, abort.signal, (words) => this.#step(words));
      const failed = result.isError || result.structuredContent?.status === "failed";
      if (!failed) this.input.value = "";
      this.#diary.note("refined", { tool: tool.name, feedback, result });
      this.#finish(tool, words(result), failed ? null : { before, after: await this.#present(tool) });
    } catch (failure) {
      this.#finish(tool, abort.signal.aborted ? "Cancelled; the view stays as it was." : failure.message, null);
    } finally {
      stopClock();
      this.#underWay = null;
      this.button.hidden = false;
      this.cancel.hidden = true;
    }
  }

  async #present(tool) {
    return (await this.#desk.versions(tool.name)).find(({ isPresent }) => isPresent)?.version;
  }

  /** Show that it runs, and for how long; the returned function stops the clock. */
  #running() {
    const began = performance.now();
    const tick = () => { this.status.dataset.clock = `${Math.floor((performance.now() - began) / 1000)} s`; };
    this.#say("Refining; the view stays until the new one is ready…");
    this.button.hidden = true;
    this.cancel.hidden = false;
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

const NO_MODEL = "No model: connect one. Start the preview with --llm NAME, or set ANTHROPIC_API_KEY or OPENAI_API_KEY.";

/** The outcome as a sentence: from the wrapper's answer, or from the text of any server. */
function words({ structuredContent: told, content, isError }) {
  if (isError || !told?.status) return content?.find(({ type }) => type === "text")?.text ?? "Done.";
  return OUTCOMES[told.status]?.(told) ?? told.status;
}

const OUTCOMES = {
  done: ({ seconds }) => `Done, in ${seconds} seconds.`,
  running: ({ seconds }) => `Not done after ${seconds} seconds; it goes on, and the view changes when it is ready.`,
  failed: ({ reason }) => `The view stays as it was: ${reason}`,
};
