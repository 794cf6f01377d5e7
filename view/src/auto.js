import { el } from "./kit/el.js";
import { argumentsForm } from "./kit/form/arguments.js";
import { isPlain, keysOf, list, messageOf, plain, string } from "./kit/plain.js";
import { renderResult } from "./kit/result/render.js";
import { Show } from "./kit/result/show.js";
import { App } from "./runtime/app.js";
import { confirmCall } from "./runtime/gate.js";
import { applyHostStyleVariables } from "./runtime/host-style.js";
import { sealTransport } from "./runtime/transport.js";
import { guarded } from "./shell/boundary.js";
import { copyText } from "./shell/copy.js";
import { header, isDestructive, toolTitle } from "./shell/header.js";
import { hostOf } from "./shell/host.js";
import { readPageData } from "./shell/page-data.js";
import { resultArea } from "./shell/result-area.js";
import { runForm } from "./shell/run-form.js";
import { followHost } from "./shell/theme.js";
/** @import { Plain } from "./kit/plain.js" */
/** @import { PageData } from "./shell/page-data.js" */
/** @import { Draw } from "./shell/result-area.js" */

/**
 * Makes the function that draws successful results, for one page.
 * @typedef {(around: Around) => Draw} Drawing
 * @typedef {object} Around what a drawing gets from its page
 * @property {PageData} page
 * @property {any} app
 * @property {Show} show
 * @property {(url: string) => Promise<unknown>} openLink
 * @property {(result: any, args: Plain) => void} onown takes a result of the page's own tool that the drawing called for and shows
 */

/** Draws results by what they are. @type {Drawing} */
const adaptively = ({ show }) => (place, result, args) => place.replaceChildren(...renderResult(result, show, args));

/**
 * A tool's page: a form from its schema, and its results, drawn by what they are unless told
 * otherwise. It reads everything from the page and talks to the host by itself.
 * @param {Drawing} [drawing]
 * @returns {{ app: App }}
 */
export function startAdaptiveView(drawing = adaptively) {
  sealTransport();
  const page = readPageData();
  const main = el("main.mcp-gen-ui");
  document.body.append(main);
  applyHostStyleVariables(page.look);
  followHost(page);
  const app = new App({ name: `${string(page.tool.name) || "tool"}-ui`, version: "1.0.0" }, {}, { echoToolResults: false });
  guarded(main, "the page", () => start(page, app, main, drawing));
  return { app };
}

/** @param {PageData} page @param {any} app @param {HTMLElement} main @param {Drawing} drawing */
function start(page, app, main, drawing) {
  const { tool, limits } = page;
  /** Whether the host's input came whole: a part that comes later is old. */
  let complete = false;
  let ran = false;
  /** Tells the call that counts from older ones. */
  let serial = 0;
  /** Shows the last outcome again. */
  let redraw = () => {};
  /** The arguments of the host's own call. @type {object | undefined} */
  let given;

  const inputs = makeInputs(page);
  const form = runForm(inputs, {
    title: toolTitle(tool),
    destructive: isDestructive(tool),
    run: (args) => {
      confirmCall(args);
      call(args);
    },
    reset: () => inputs.fill(given),
  });
  const { callTool, openLink, download } = hostOf(app);
  const show = new Show({
    limit: limits.maxOutputDisplayBytes,
    openLink,
    copy: copyText,
    schema: tool.outputSchema,
    get download() {
      return app.getHostCapabilities()?.downloadFile && download;
    },
  });
  const result = resultArea({ show, retry: form.submit, draw: drawing({ page, app, show, openLink, onown: (answer, args) => onown(answer, args) }) });
  main.append(header(page), form.element, result.element);
  result.waiting();

  const settle = (/** @type {() => void} */ outcome) => {
    ran = true;
    form.setRunning(false);
    form.setRunAgain();
    result.running(false);
    redraw = () => guarded(main, "the result", outcome);
    redraw();
  };
  const onown = (/** @type {any} */ answer, /** @type {Plain} */ args) => {
    form.setArguments(args);
    result.replaced(answer);
    redraw = () => guarded(main, "the result", () => result.result(answer, args));
  };
  const follow = (/** @type {any} */ context) => {
    if (followHost(context)) redraw();
  };
  const call = async (/** @type {object} */ args) => {
    const mine = ++serial;
    redraw = () => {};
    form.setRunning(true);
    result.running(true);
    let outcome;
    try {
      const answer = await callTool(string(tool.name), args);
      outcome = () => result.result(answer, args);
    } catch (error) {
      outcome = () => result.refused(messageOf(error));
    }
    if (mine === serial) settle(outcome);
  };
  const prefill = (/** @type {any} */ params) => {
    const args = plain(params).arguments;
    if (isPlain(args) && !form.touched()) inputs.fill(given = args);
  };

  app.onhostcontextchanged = follow;
  app.ontoolinputpartial = (/** @type {any} */ params) => { if (!complete) prefill(params); };
  app.ontoolinput = (/** @type {any} */ params) => {
    complete = true;
    prefill(params);
  };
  app.ontoolresult = (/** @type {any} */ outcome) => {
    serial++;
    if (!ran && saysNothing(outcome)) return result.waiting();
    settle(() => result.result(outcome, given ?? {}));
    if (!form.touched()) form.setOpen(false);
  };
  app.ontoolcancelled = (/** @type {any} */ params) => settle(() => result.cancelled(string(plain(params).reason)));
  app.connect().then(() => follow(app.getHostContext()), (/** @type {unknown} */ error) => result.refused(`The host did not answer: ${messageOf(error)}`));
}

/** The form; one for JSON text where none can be made from the schema. @param {PageData} page */
function makeInputs({ tool, limits, schemaOmitted: omitted }) {
  const options = { maxDepth: limits.maxSchemaDepth, omitted };
  try {
    return argumentsForm(tool.inputSchema ?? {}, options);
  } catch (error) {
    return argumentsForm({}, { ...options, omitted: `No form could be made from the schema: ${messageOf(error)}` });
  }
}

/** Whether this is what hosts replay when a page is loaded again. @param {any} result */
function saysNothing(result) {
  const { content, structuredContent, _meta, ...rest } = plain(result);
  return !list(content).length && !structuredContent && !keysOf(rest).length;
}
