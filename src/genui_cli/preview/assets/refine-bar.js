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
      if (!result.isError) this.input.value = "";
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

function words(result) {
  return result.content?.find(({ type }) => type === "text")?.text ?? "Done.";
}
