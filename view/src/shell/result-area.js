import { button, el, note, quietButton } from "../kit/el.js";
import { jsonText, list } from "../kit/plain.js";
import { errorText, isEmpty, partsOf, soundsFailed } from "../kit/result/data.js";
import { renderResult } from "../kit/result/render.js";
import { textBlock } from "../kit/result/text.js";
/** @import { Show } from "../kit/result/show.js" */

const RUNNING = "Running\u2026";

/**
 * @typedef {object} ResultArea
 * @property {HTMLElement} element
 * @property {() => void} waiting nothing has come yet
 * @property {(running: boolean) => void} running the old result stays
 * @property {(result: any) => void} result
 * @property {(reason: string) => void} cancelled
 * @property {(message: string) => void} refused the call itself failed
 *
 * @param {{ show: Show, retry: () => void }} options
 * @returns {ResultArea}
 */
export function resultArea({ show, retry }) {
  /** @type {any} */
  let last;
  const status = el("span.status", { role: "status" });
  const body = el("div.result-body");
  const raw = el("div.result-body", { hidden: true });
  const toggle = quietButton("Raw JSON", () => setRaw(raw.hidden === true));
  const tools = el("span.bar", { hidden: true }, quietButton("Copy", () => show.copy(jsonText(last)), { "aria-label": "Copy the result" }), toggle);
  const element = el("section.result", { "aria-label": "Result" }, el("div.bar", el("h2", "Result"), status, tools), body, raw);

  const setRaw = (/** @type {boolean} */ on) => {
    body.hidden = on;
    raw.hidden = !on;
    toggle.ariaExpanded = `${on}`;
    raw.replaceChildren(on ? textBlock(jsonText(last), show.limit, "text code") : "");
  };
  const put = (/** @type {string} */ state, /** @type {string} */ words, /** @type {Node[]} */ ...nodes) => {
    element.dataset.state = state;
    status.textContent = words;
    body.replaceChildren(...nodes);
  };
  const keep = (/** @type {any} */ result) => {
    last = result;
    tools.hidden = false;
    setRaw(raw.hidden === false);
  };
  const fail = (/** @type {string} */ message, /** @type {Node[]} */ ...others) => put("error", "Failed",
    el("div.error-panel", { role: "alert" }, el("strong", "The tool could not do this"), textBlock(message, show.limit), button("Try again", retry)), ...others);
  setRaw(false);

  return {
    element,
    waiting: () => put("waiting", "", note("No data yet. Run the tool to see its result here.")),
    running(running) {
      element.ariaBusy = `${running}`;
      if (!running) return;
      status.textContent = RUNNING;
      if (element.dataset.state === "waiting") body.replaceChildren(note(RUNNING));
    },
    result(result) {
      keep(result);
      if (result?.isError) fail(errorText(result), ...renderResult({ ...result, content: list(result.content).filter((item) => item?.type !== "text") }, show));
      else if (isEmpty(result)) put("empty", "Done", note("The tool returned nothing."));
      else put("done", partsOf(result).some(soundsWrong) ? "Answered" : "Done", ...renderResult(result, show));
    },
    cancelled: (reason) => put("cancelled", "Cancelled", note(`This call was cancelled${reason && `: ${reason}`}.`)),
    refused(message) {
      keep({ error: message });
      setRaw(false);
      fail(message);
    },
  };
}

/** A success that says it failed is not called done. @param {import("../kit/result/data.js").Part} part */
function soundsWrong({ kind, text = "" }) {
  return kind === "text" && soundsFailed(text);
}
