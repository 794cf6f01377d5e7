// The raw result of the last call, whoever made it.

import { copyButton } from "./copy-button.js";
import { el } from "./dom.js";
import { asWritten } from "./exact-json.js";
import { jsonBlock } from "./json-text.js";

export class ResultPane {
  constructor(place) {
    this.#place = place;
    this.clear();
  }

  #place;

  clear() {
    this.#place.replaceChildren(el("p", { class: "nothing" }, "Call the tool to see its raw result, indented for reading."));
  }

  calling({ by }) {
    this.#place.replaceChildren(el("p", { class: "nothing calling", role: "status" }, `Called by the ${by}, waiting for the answer…`));
  }

  cancelled() {
    this.#place.replaceChildren(el("p", { class: "nothing", role: "status" }, "Cancelled."));
  }

  /** Show an answer: a tool result, or the JSON-RPC error that came instead. */
  answered({ by, result, error, milliseconds }) {
    const value = error ?? asWritten(result);
    const { text, look } = verdict(result, error);
    this.#place.replaceChildren(
      el(
        "div",
        { class: "facts", role: "status" },
        el("span", { class: `badge badge-${look}` }, text),
        el("span", {}, `${Math.round(milliseconds).toLocaleString()} ms`),
        el("span", {}, `called by the ${by}`),
        copyButton(() => JSON.stringify(value, null, 2)),
      ),
      jsonBlock(value, "Raw result"),
    );
  }
}

function verdict(result, error) {
  if (error) return { text: `error ${error.code}`, look: "danger" };
  return result.isError ? { text: "isError", look: "danger" } : { text: "ok", look: "safe" };
}
