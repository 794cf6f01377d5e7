import { el, quietButton } from "./kit/el.js";
import { argumentsForm } from "./kit/form/arguments.js";
import { isPlain, keysOf, list, messageOf, plain, string } from "./kit/plain.js";
import { Show } from "./kit/result/show.js";
import { App } from "./runtime/app.js";
import { confirmCall, nameAtHost } from "./runtime/gate.js";
import { applyHostStyleVariables } from "./runtime/host-style.js";
import { PostMessageTransport, sealTransport } from "./runtime/transport.js";
import { about } from "./shell/about.js";
import { guarded } from "./shell/boundary.js";
import { copyText } from "./shell/copy.js";
import { firstSentence } from "./shell/description.js";
import { header, isDestructive, toolTitle } from "./shell/header.js";
import { hostOf } from "./shell/host.js";
import { itemsOf } from "./shell/items.js";
import { menu } from "./shell/menu.js";
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
 * @property {(args: Plain) => Promise<void>} again runs the page's own tool and draws what comes
 * @property {(result: any, args: Plain) => void} onown takes a result of the page's own tool that the drawing called for and shows
 */

/** What a page has to do with the chat around it, in the pages that have that part (`chat/`). @type {((page: import("./chat/index.js").Page) => () => any[]) | undefined} */
const chat = globalThis.McpGenUiChat;

/**
 * A tool's page: a form from its schema, and its results. It reads everything from the page and talks to the
 * host by itself.
 * @param {Drawing} drawing
 * @returns {{ app: App }}
 */
export function startAdaptiveView(drawing) {
  const line = chat && PostMessageTransport.line();
  sealTransport();
  const page = readPageData();
  const main = el("main.mcp-gen-ui");
  document.body.append(main);
  applyHostStyleVariables(page.look);
  followHost(page);
  const capabilities = {};
  const app = new App({ name: `${string(page.tool.name) || "tool"}-ui`, version: "1.0.0" }, capabilities, {
    echoToolResults: false,
  });
  guarded(main, "the page", () => start(page, app, main, drawing, capabilities, line));
  return { app };
}

/** @param {PageData} page @param {any} app @param {HTMLElement} main @param {Drawing} drawing @param {object} capabilities @param {any} line to the host, for the chat's part */
function start(page, app, main, drawing, capabilities, line) {
  const { tool, limits, notice } = page;
  const name = string(tool.name);
  /** Whether the host's input came whole: a part that comes later is old. */
  let complete = false;
  /** Tells the call that counts from older ones. */
  let serial = 0;
  /** Shows the last outcome again. */
  let redraw = () => {};
  /** The arguments of the host's own call. @type {object | undefined} */
  let given;
  /** Ends the call that the view made. @type {AbortController | undefined} */
  let running;

  const { callTool, openLink, download, setDisplayMode } = hostOf(app);
  const memory = new Map();
  const show = new Show({
    memory,
    limit: limits.maxOutputDisplayBytes,
    openLink,
    copy: copyText,
    schema: tool.outputSchema,
    kind: page.kind,
    get download() {
      return app.getHostCapabilities()?.downloadFile && download;
    },
  });
  const edit = () => {
    const open = !form.isOpen();
    form.setOpen(open);
    if (open) inputs.focus();
  };
  const more = menu(() => [
    ...itemsOf({
      app,
      result,
      edit: inputs.none && inputs.isExtensible && edit,
      tell: openAbout,
      name,
      show,
      setDisplayMode,
    }),
    ...(items?.() ?? []),
  ]);
  const inputs = makeInputs(page);
  const head = header(page, show, {
    isAsking: !inputs.none,
    edit,
    again: () => form.submit(undefined),
    raw: () => result.setRaw(),
    menu: more,
    cancel: () => running?.abort(),
  });
  const form = runForm(inputs, {
    title: toolTitle(tool, page.server),
    lead: leadOf(page, show, openAbout),
    destructive: isDestructive(tool),
    run: (args) => {
      confirmCall(args);
      call(args);
    },
    reset: () => inputs.fill(given),
    opened(open, lostFocus) {
      head.setOpen(open);
      main.dataset.form = open ? "open" : "";
      if (lostFocus) head.focus();
    },
  });
  const result = resultArea({
    show,
    header: head,
    name,
    retry: form.submit,
    args: inputs.peek,
    runWith(args) {
      inputs.fill(args);
      form.submit(undefined);
    },
    edit: inputs.none ? undefined : edit,
    blame: inputs.blame,
    fix() {
      form.setOpen(true);
      main.dataset.form = "fix";
    },
    draw: drawing({
      page,
      app,
      show,
      openLink,
      again,
      onown,
    }),
  });
  const panels = el("div", { hidden: true });
  function openAbout() {
    const close = () => {
      panels.hidden = true;
      head.focus();
    };
    const panel = about(page, show, close);
    panels.replaceChildren(panel);
    panels.hidden = false;
    panel.focus();
  }
  main.append(
    head.element,
    panels,
    form.element,
    result.element,
    ...(notice && notice.kind !== "provisional"
      ? [el("p.notice", { "data-notice": notice.kind, role: "note" }, notice.text)]
      : []),
  );
  main.dataset.form = "open";
  result.waiting("");

  /** @param {boolean} isRunning @param {boolean} [byView] */
  const setRunning = (isRunning, byView) => {
    form.setRunning(isRunning && !!byView);
    head.setStoppable(isRunning && !!byView);
    result.running(isRunning);
  };
  const settle = (/** @type {object | undefined} */ args, /** @type {() => void} */ outcome) => {
    const focused = document.activeElement;
    setRunning(false);
    form.setOver();
    if (args) head.setArguments(args);
    redraw = () => guarded(main, "the result", outcome);
    redraw();
    if (focused !== document.body && document.activeElement === document.body) head.focus();
  };
  /** @param {Plain} args */
  function again(args) {
    form.setArguments(args);
    return call(args);
  }
  /** @param {any} answer @param {Plain} args */
  function onown(answer, args) {
    form.setArguments(args);
    head.setArguments(args);
    result.replaced(answer);
    redraw = () => guarded(main, "the result", () => result.result(answer, args));
  }
  const follow = (/** @type {any} */ context) => {
    if (followHost(context)) redraw();
  };
  const call = async (/** @type {Plain} */ args) => {
    const mine = ++serial;
    redraw = () => {};
    running = new AbortController();
    const { signal } = running;
    head.setArguments(args);
    setRunning(true, true);
    form.setOpen(false);
    let outcome;
    try {
      const answer = await callTool(name, args, signal);
      outcome = () => result.result(answer, args);
    } catch (error) {
      outcome = () => (signal.aborted ? result.cancelled("") : result.refused(messageOf(error)));
    }
    if (mine === serial) settle(args, outcome);
  };
  const prefill = (/** @type {any} */ params) => {
    const args = plain(params).arguments;
    if (isPlain(args)) {
      given = args;
      if (!form.touched()) inputs.fill(args);
    }
  };

  const items = chat?.({ app, capabilities, tool, line, memory, inputs, redraw: () => redraw(), nameAtHost });
  app.onhostcontextchanged = follow;
  app.addEventListener("notifications/progress", result.progress);
  app.ontoolinputpartial = (/** @type {any} */ params) => {
    if (!complete) prefill(params);
  };
  app.ontoolinput = (/** @type {any} */ params) => {
    complete = true;
    prefill(params);
    if (!given || form.touched() || result.last() !== undefined) return;
    head.setArguments(given);
    setRunning(true);
    form.setOver();
    form.setOpen(false);
  };
  app.ontoolresult = (/** @type {any} */ outcome) => {
    serial++;
    if (result.last() === undefined && saysNothing(outcome)) {
      setRunning(false);
      form.setOpen(true);
      return result.waiting("No data yet. Run the tool to see its result here.");
    }
    if (!form.touched()) form.setOpen(false);
    settle(given ?? {}, () => result.result(outcome, given ?? {}));
  };
  app.ontoolcancelled = (/** @type {any} */ params) =>
    settle(given, () => result.cancelled(string(plain(params).reason)));
  app.connect().then(
    () => follow(app.getHostContext()),
    (/** @type {unknown} */ error) => result.refused(`The host did not answer: ${messageOf(error)}`),
  );
}

/** What the tool does, in one sentence, with a way to read the rest. @param {PageData} page @param {Show} show @param {() => void} more */
function leadOf({ tool }, show, more) {
  const description = string(tool.description).trim();
  const sentence = firstSentence(description);
  return (
    !!sentence &&
    el(
      "p.lead",
      sentence,
      " ",
      sentence !== description &&
        quietButton("More", more, { class: "link", "aria-label": "More about this tool" }),
    )
  );
}

/** The form; one for JSON text where none can be made from the schema. @param {PageData} page */
function makeInputs({ tool, limits, schemaOmitted: omitted }) {
  const options = { maxDepth: limits.maxSchemaDepth, omitted };
  try {
    return argumentsForm(tool.inputSchema ?? {}, options);
  } catch (error) {
    return argumentsForm({}, { ...options, omitted: `No form for this schema: ${messageOf(error)}` });
  }
}

/** Whether this is what hosts replay when a page is loaded again. @param {any} result */
function saysNothing(result) {
  const { content, structuredContent, _meta, ...rest } = plain(result);
  return !list(content).length && !structuredContent && !keysOf(rest).length;
}
