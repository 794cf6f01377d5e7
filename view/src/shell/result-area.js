import { button, el, newId, show } from "../kit/el.js";
import { errorText, isEmpty, partsOf, soundsFailed } from "../kit/result/data.js";
import { renderResult } from "../kit/result/render.js";
import { textBlock } from "../kit/result/text.js";
/** @import { Show } from "../kit/result/value.js" */

/**
 * @typedef {object} ResultArea
 * @property {HTMLElement} element
 * @property {(text: string) => void} waiting nothing has come yet
 * @property {(running: boolean) => void} running the old result stays
 * @property {(result: any) => void} result
 * @property {(reason: string) => void} cancelled
 * @property {(message: string) => void} refused the call itself failed
 *
 * @param {{ show: Show, retry: () => void, copy: (text: string) => void }} options
 * @returns {ResultArea}
 */
export function resultArea({ show: how, retry, copy }) {
  const status = el("span", { class: "status", role: "status" });
  const body = el("div", { class: "result-body" });
  const rawBody = el("div", { class: "raw", id: newId(), hidden: true });
  let last = /** @type {any} */ (undefined);
  const raw = button("Raw JSON", () => setRaw(!!rawBody.hidden), { class: "quiet small", "aria-expanded": "false", "aria-controls": rawBody.id });
  const copyButton = button("Copy", () => copy(JSON.stringify(last, null, 2)), { class: "quiet small", "aria-label": "Copy the result" });
  const tools = el("span", { class: "tools", hidden: true }, copyButton, raw);
  const bar = el("div", { class: "result-bar" }, el("h2", null, "Result"), status, tools);
  const element = el("section", { class: "panel result", "aria-label": "Result", "aria-busy": "false" }, bar, body, rawBody);

  const setRaw = (/** @type {boolean} */ on) => {
    show(rawBody, on);
    show(body, !on);
    raw.setAttribute("aria-expanded", String(on));
    rawBody.replaceChildren(...(on ? [textBlock(JSON.stringify(last, null, 2) ?? "null", how.limit, "text code")] : []));
  };
  const put = (/** @type {string} */ state, /** @type {string} */ words, /** @type {(Node | string)[]} */ ...nodes) => {
    element.dataset.state = state;
    status.textContent = words;
    body.replaceChildren(...nodes);
  };
  const panel = (/** @type {string} */ message) => el("div", { class: "error-panel", role: "alert" },
    el("strong", null, "The tool could not do this"), textBlock(message, how.limit), button("Try again", retry, { class: "small" }));

  return {
    element,
    waiting: (text) => put("waiting", "", el("p", { class: "none" }, text)),
    running(running) {
      element.setAttribute("aria-busy", String(running));
      if (running) status.textContent = "Running\u2026";
      if (running && element.dataset.state === "waiting") body.replaceChildren(el("p", { class: "none" }, "Running\u2026"));
    },
    result(result) {
      last = result;
      show(tools, true);
      if (result?.isError) put("error", "Failed", panel(errorText(result)), ...renderExtra(result, how));
      else if (isEmpty(result)) put("empty", "Done", el("p", { class: "none" }, "The tool returned nothing."));
      else put("done", looksFailed(result) ? "Answered" : "Done", ...renderResult(result, how));
      setRaw(!rawBody.hidden);
    },
    cancelled: (reason) => put("cancelled", "Cancelled", el("p", { class: "none", dir: "auto" }, `This call was cancelled${reason ? `: ${reason}` : ""}.`)),
    refused(message) {
      last = { error: message };
      show(tools, true);
      put("error", "Failed", panel(message));
      setRaw(false);
    },
  };
}

/** What an error result holds besides its words. @param {any} result @param {Show} how */
function renderExtra(result, how) {
  const content = Array.isArray(result.content) ? result.content.filter((/** @type {any} */ item) => item?.type !== "text") : [];
  return renderResult({ ...result, content }, how);
}

/** @param {any} result */
function looksFailed(result) {
  return partsOf(result).some((part) => part.kind === "text" && soundsFailed(part.text ?? ""));
}
