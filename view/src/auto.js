import { el } from "./kit/el.js";
import { argumentsForm } from "./kit/form/arguments.js";
import { isPlain, list, plain, string } from "./kit/plain.js";
import { App } from "./runtime/app.js";
import { guarded } from "./shell/boundary.js";
import { header, toolTitle } from "./shell/header.js";
import { readPageData } from "./shell/page-data.js";
import { resultArea } from "./shell/result-area.js";
import { runForm } from "./shell/run-form.js";
import { followHost, startTheme } from "./shell/theme.js";
/** @import { PageData } from "./shell/page-data.js" */

const CALL_TIMEOUT_MS = 10 * 60_000;

/**
 * The adaptive view: a form from the tool's schema, and its results by what they are.
 * It reads everything from the page and talks to the host by itself.
 * @returns {{ app: App }}
 */
export function startAdaptiveView() {
  const page = readPageData();
  const main = el("main", { class: "mcp-gen-ui" });
  document.body.append(main);
  startTheme(page.theme);
  const app = new App({ name: `${string(page.tool.name) || "tool"}-ui`, version: "1.0.0" }, {}, { echoToolResults: false });
  guarded(main, "the page", () => new AdaptiveView(page, app, main).start());
  return { app };
}

class AdaptiveView {
  #page;
  #app;
  #main;
  #form;
  #inputs;
  #result;
  /** @type {object | undefined} */ #given;
  /** Whether the host's input came whole: a part that comes later is old. */
  #complete = false;
  #serial = 0;
  #ran = false;

  /** @param {PageData} page @param {App} app @param {HTMLElement} main */
  constructor(page, app, main) {
    this.#page = page;
    this.#app = app;
    this.#main = main;
    const { tool, limits } = page;
    this.#inputs = this.#makeInputs();
    this.#form = runForm(this.#inputs, {
      toolName: toolTitle(tool),
      destructive: plain(tool.annotations).destructiveHint === true,
      run: (args) => this.#call(args),
      reset: () => this.#inputs.fill(this.#given),
    });
    this.#result = resultArea({
      show: { limit: limits.maxOutputDisplayBytes, openLink: (url) => this.#openLink(url) },
      retry: () => this.#retry(),
      copy: (text) => this.#copy(text),
    });
    main.append(header(page), this.#form.element, this.#result.element);
    this.#result.waiting("No data yet. Run the tool to see its result here.");
  }

  async start() {
    const app = /** @type {any} */ (this.#app);
    app.onhostcontextchanged = (/** @type {any} */ context) => followHost(context);
    app.ontoolinputpartial = (/** @type {any} */ params) => { if (!this.#complete) this.#prefill(params); };
    app.ontoolinput = (/** @type {any} */ params) => {
      this.#complete = true;
      this.#prefill(params);
    };
    app.ontoolresult = (/** @type {any} */ result) => this.#hostResult(result);
    app.ontoolcancelled = (/** @type {any} */ params) => this.#cancelled(params);
    try {
      await app.connect();
      followHost(app.getHostContext());
    } catch (error) {
      this.#result.refused(`The host did not answer: ${messageOf(error)}`);
    }
  }

  #makeInputs() {
    const { tool, limits, schemaOmitted } = this.#page;
    const options = { maxDepth: limits.maxSchemaDepth, omitted: schemaOmitted ?? undefined };
    try {
      return argumentsForm(tool.inputSchema ?? {}, options);
    } catch (error) {
      return argumentsForm({}, { ...options, omitted: `No form could be made from the schema: ${messageOf(error)}` });
    }
  }

  /** @param {any} params */
  #prefill(params) {
    const args = plain(params).arguments;
    if (!isPlain(args) || this.#form.touched()) return;
    this.#given = args;
    this.#inputs.fill(args);
  }

  /** A result of the host's own call. @param {any} result */
  #hostResult(result) {
    this.#serial++;
    if (!list(plain(result).content).length && !plain(result).structuredContent && !this.#ran && !Object.keys(plain(result)).some((key) => key !== "_meta"))
      return this.#result.waiting("No data yet. Run the tool to see its result here.");
    this.#settle(() => this.#result.result(result));
    if (!this.#form.touched()) this.#form.setOpen(false);
  }

  /** @param {any} params */
  #cancelled(params) {
    this.#settle(() => this.#result.cancelled(string(plain(params).reason)));
  }

  /** @param {() => void} done shows the outcome */
  #settle(done) {
    this.#ran = true;
    this.#form.setRunning(false);
    this.#form.setRunAgain(true);
    this.#result.running(false);
    guarded(this.#main, "the result", done);
  }

  #retry() {
    const args = this.#inputs.submit();
    if (args) this.#call(args);
    else this.#form.setOpen(true);
  }

  /** @param {object} args */
  async #call(args) {
    const serial = ++this.#serial;
    this.#form.setRunning(true);
    this.#result.running(true);
    const done = await this.#outcome(args);
    if (serial === this.#serial) this.#settle(done);
  }

  /** @param {object} args @returns {Promise<() => void>} what shows the outcome */
  async #outcome(args) {
    const name = string(this.#app.getHostContext()?.toolInfo?.tool?.name) || string(this.#page.tool.name);
    try {
      const result = await this.#app.callServerTool({ name, arguments: args }, { timeout: CALL_TIMEOUT_MS });
      return () => this.#result.result(result);
    } catch (error) {
      return () => this.#result.refused(messageOf(error));
    }
  }

  /** @param {string} url */
  async #openLink(url) {
    try {
      await this.#app.request({ method: "ui/open-link", params: { url } });
    } catch (error) {
      console.warn(`The host did not open a link: ${messageOf(error)}`);
    }
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyBySelection(text);
    }
  }
}

/** For pages which may not use the clipboard. @param {string} text */
function copyBySelection(text) {
  const area = el("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
