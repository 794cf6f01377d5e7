// The line below the view: what the view says to the chat or to the model, and what else is worth a word.

import { el } from "./dom.js";

const HEADINGS = { message: "The view says to the chat", context: "The view tells the model" };
const KINDS = { message: "message", context: "model_context" };

export class Whispers {
  constructor(place, diary) {
    this.#place = place;
    this.#diary = diary;
  }

  #place;
  #diary;

  /** The view said something: a "message" to the chat, or "context" for the model. */
  said(kind, params) {
    const { role, content, structuredContent } = params;
    this.#diary.note(KINDS[kind], { role, content, structuredContent });
    const text =
      params.content?.map((block) => block.text ?? `[${block.type}]`).join("\n") ??
      JSON.stringify(params.structuredContent);
    this.#show(HEADINGS[kind], text ?? "");
  }

  /** The view asked to open an address; `answer` is what came of it. */
  async link({ url }, answer) {
    const outcome = await answer;
    this.#diary.note("link", { url, opened: outcome.isError !== true });
    return outcome;
  }

  /** Files changed that the wrapper had read. */
  changed(source) {
    this.#show(`The ${source} changed`, "The wrapper is restarting, and the view is read again.");
  }

  /** Wait for `work` and tell whether it succeeded; a failure of it is shown. */
  async failing(work) {
    try {
      await work;
      return true;
    } catch (failure) {
      this.#show("That did not work", failure.message);
      return false;
    }
  }

  clear() {
    this.#place.hidden = true;
  }

  #show(heading, text) {
    this.#place.replaceChildren(el("strong", {}, heading), el("p", {}, text));
    this.#place.hidden = false;
  }
}
