import { button, el, note, quietButton } from "../kit/el.js";
import { jsonText } from "../kit/plain.js";
import { isEmpty, partsOf, saysFailed } from "../kit/result/data.js";
import { renderParts } from "../kit/result/render.js";
import { textBlock } from "../kit/result/text.js";
/** @import { Show } from "../kit/result/show.js" */

const RUNNING = "Running\u2026";

/** The state of the result and the words for it. @type {[string, string]} */
const DONE = ["done", "Done"];
/** A success that says it failed is not called done. @type {[string, string]} */
const DOUBTFUL = ["doubtful", "Says it failed"];

/** @typedef {(place: HTMLElement, result: any, args: object) => void} Draw draws a result that is no error, into a place that is empty and in the page */

/**
 * @typedef {object} ResultArea
 * @property {HTMLElement} element
 * @property {() => void} waiting nothing has come yet
 * @property {(running: boolean) => void} running the old result stays
 * @property {(result: any, args: object) => void} result and the arguments that brought it
 * @property {(result: any) => void} replaced the view itself called the tool and shows this result in place of the last
 * @property {(reason: string) => void} cancelled
 * @property {(message: string) => void} refused the call itself failed
 *
 * @param {{ show: Show, retry: (event: Event) => void, draw: Draw }} options
 * @returns {ResultArea}
 */
export function resultArea({ show, retry, draw }) {
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
  const fail = (/** @type {Node[]} */ message, /** @type {Node[]} */ ...others) => put("error", "Failed",
    el("div.error-panel", { role: "alert" }, el("strong", "The tool could not do this"), message, button("Try again", /** @type {() => void} */ (retry))), ...others);
  const failed = (/** @type {any} */ result) => {
    const parts = partsOf(result);
    const words = parts.filter(({ text }) => text !== undefined);
    const others = words.length ? parts.filter((part) => !words.includes(part)) : [];
    const message = renderParts(words.length ? words : parts, show.at("error", {}));
    fail(message.length ? message : [note("The tool reported an error without a message.")], ...renderParts(others, show.at("beside the error", {})));
  };
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
    result(result, args) {
      keep(result);
      if (result?.isError) failed(result);
      else if (isEmpty(result)) put("empty", "Done", note("The tool returned nothing."));
      else {
        put(...saysFailed(result) ? DOUBTFUL : DONE);
        draw(body, result, args);
      }
    },
    replaced(result) {
      keep(result);
      [element.dataset.state, status.textContent] = saysFailed(result) ? DOUBTFUL : DONE;
    },
    cancelled: (reason) => put("cancelled", "Cancelled", note(`This call was cancelled${reason && `: ${reason}`}.`)),
    refused(message) {
      keep({ error: message });
      setRaw(false);
      fail([textBlock(message, show.limit)]);
    },
  };
}
