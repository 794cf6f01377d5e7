// The result of the last call, by the model or the view: its data first, then the whole of it.

import { copyButton } from "./copy-button.js";
import { el } from "./dom.js";
import { asWritten, dataIn } from "./exact-json.js";
import { jsonBlock } from "./json-text.js";

export class ResultPane {
  constructor(place) {
    this.#place = place;
    this.clear();
  }

  #place;

  clear() {
    this.#place.replaceChildren(el("p", { class: "nothing" }, "Call the tool to see its result."));
  }

  calling({ by }) {
    this.#place.replaceChildren(
      el("p", { class: "nothing calling", role: "status" }, `Running. The ${by} called the tool.`),
    );
  }

  cancelled() {
    this.#place.replaceChildren(el("p", { class: "nothing", role: "status" }, "Cancelled."));
  }

  /** Show an answer: a tool result, or the JSON-RPC error that came instead. */
  answered({ by, result, error, milliseconds }) {
    const value = error ?? asWritten(result);
    const { text, look } = outcome(result, error);
    this.#place.replaceChildren(
      el(
        "div",
        { class: "facts", role: "status" },
        el("span", { class: `badge badge-${look}` }, text),
        el("span", {}, `${Math.round(milliseconds).toLocaleString()} ms`),
        el("span", {}, `called by the ${by}`),
        copyButton(() => JSON.stringify(value, null, 2)),
      ),
      ...blocks(value, error === undefined),
    );
  }
}

/** The data of a result, and the whole result in a fold; an error or a result without data as it is. */
function blocks(value, isResult) {
  const data = isResult ? dataOf(value) : undefined;
  if (data === undefined) return [jsonBlock(value, "Whole result")];
  const whole = el("details", { class: "whole" }, el("summary", {}, "Whole result"));
  whole.addEventListener("toggle", () => whole.append(jsonBlock(value, "Whole result")), { once: true });
  return [jsonBlock(data, "Data of the result"), whole];
}

function dataOf({ structuredContent, content }) {
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent;
  return content?.length === 1 ? dataIn(content[0]?.text) : undefined;
}

function outcome(result, error) {
  if (error) return { text: `error ${error.code}`, look: "danger" };
  return result.isError ? { text: "failed", look: "danger" } : { text: "done", look: "safe" };
}
