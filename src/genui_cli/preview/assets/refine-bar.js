// A box for plain words about the view; the wrapper's own tool does the work.

import { rpc } from "./api.js";
import { belongsToTheWrapper, bringsItsOwnView, uiAddress } from "./tools.js";

export class RefineBar {
  constructor({ form, input, button, status }) {
    Object.assign(this, { form, input, button, status });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  #tool = null;

  /** Offer refinement of `tool`, where the server has the means and the view is the wrapper's. */
  show(tool, tools) {
    this.#tool = tool;
    const possible = tools.some(({ name }) => name === "_ui_refine");
    this.form.hidden = !possible || belongsToTheWrapper(tool) || uiAddress(tool) === null || bringsItsOwnView(tool);
    this.#say("");
  }

  async #submit() {
    const feedback = this.input.value.trim();
    if (!feedback) return;
    const tool = this.#tool;
    this.button.disabled = true;
    this.#say("Refining; the view stays until the new one is ready…");
    try {
      const result = await rpc("tools/call", { name: "_ui_refine", arguments: { toolName: tool.name, feedback } });
      if (!result.isError && result.structuredContent?.status !== "failed") this.input.value = "";
      if (tool === this.#tool) this.#say(words(result));
    } catch (failure) {
      this.#say(failure.message);
    } finally {
      this.button.disabled = false;
    }
  }

  #say(text) {
    this.status.textContent = text;
  }
}

/** What came of it, in words: as the wrapper tells it, or as any server would. */
function words({ structuredContent: told, content, isError }) {
  if (isError || !told?.status) return content?.find(({ type }) => type === "text")?.text ?? "Done.";
  return OUTCOMES[told.status]?.(told) ?? told.status;
}

const OUTCOMES = {
  done: ({ seconds }) => `Done, in ${seconds} seconds.`,
  running: ({ seconds }) => `Not done after ${seconds} seconds; it goes on, and the view changes when it is ready.`,
  failed: ({ reason }) => `The view stays as it was: ${reason}`,
};
