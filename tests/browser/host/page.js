// The host page: one view behind the official bridge, everything it says written down.
import { AppBridge, buildAllowAttribute, PostMessageTransport } from "official-bridge";

const OUTER_SANDBOX = "allow-scripts allow-same-origin allow-forms";
const MAX_HEIGHT = 6000;

/**
 * @typedef {object} Mount
 * @property {string} html
 * @property {string} sandboxUrl
 * @property {number} width
 * @property {boolean} eager send the input without waiting for the view
 * @property {"light" | "dark"} theme
 * @property {object} tool
 * @property {object} [input]
 * @property {object} [result] of the call that the host made, sent with the input as soon as the view is ready
 * @property {object} [capabilities] what the host can do besides
 * @property {object} [permissions] what the view asks for, as its resource says it
 * @property {string | number | null} [viewId] names the view when it is loaded again
 */

/** @type {{ from: "host" | "view", message: any }[]} */
const messages = [];
/** @type {{ width: number, height: number }[]} */
const sizes = [];
/** @type {{ params: any, answer: (result: any) => void }[]} */
const calls = [];
/** @type {string[]} */
const links = [];
/** @type {object[]} */
const files = [];
/** Requests that the bridge has no method for, by id. @type {Map<string, (message: any) => void>} */
const asked = new Map();

/** @type {HTMLIFrameElement} */ let frame;
/** @type {any} */ let bridge;
let isInitialized = false;

/** @param {"host" | "view"} from @param {any} message */
function note(from, message) {
  messages.push({ from, message: structuredClone(message) });
}

/** Before the bridge hears it. @param {MessageEvent} event */
function overhear(event) {
  if (event.source !== frame.contentWindow) return;
  note("view", event.data);
  const waiting = asked.get(event.data?.id);
  if (!waiting || event.data.method) return;
  event.stopImmediatePropagation();
  asked.delete(event.data.id);
  waiting(event.data);
}

/** Answered by the test's tool, or else when the test says so. @param {any} params */
async function called(params) {
  const settled = new Promise((answer) => calls.push({ params, answer }));
  const told = JSON.parse(await window.hostCalled(JSON.stringify(params)));
  if (told?.error) throw Object.assign(new Error(told.error.message), { code: told.error.code });
  return told ?? settled;
}

/** What the host tells of itself. @param {Mount} options */
function contextOf({ theme, tool, width, viewId = 1 }) {
  return {
    toolInfo: viewId === null ? { tool } : { id: viewId, tool },
    theme,
    styles: { variables: { "--color-background-primary": "light-dark(#fdfdfd, #101014)" } },
    displayMode: "inline",
    containerDimensions: { width, maxHeight: MAX_HEIGHT },
    locale: "en-US",
    timeZone: "UTC",
  };
}

/** @param {Mount} options */
function makeBridge(options) {
  const capabilities = {
    openLinks: {},
    downloadFile: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    ...options.capabilities,
  };
  const made = new AppBridge(null, { name: "test-host", version: "1.0.0" }, capabilities, {
    hostContext: contextOf(options),
  });
  made.oncalltool = called;
  made.onopenlink = async ({ url }) => {
    links.push(url);
    return {};
  };
  made.ondownloadfile = async ({ contents }) => {
    files.push(...contents);
    return {};
  };
  made.onloggingmessage = () => {};
  if (capabilities.message) made.onmessage = async () => ({});
  if (capabilities.updateModelContext) made.onupdatemodelcontext = async () => ({});
  made.oninitialized = () => {
    isInitialized = true;
    if (!options.result) return;
    if (!options.eager) made.sendToolInput({ arguments: options.input });
    made.sendToolResult(options.result);
  };
  made.onsizechange = (size) => {
    sizes.push(size);
    frame.style.blockSize = `${Math.min(size.height, MAX_HEIGHT)}px`;
  };
  return made;
}

/** Takes the view away, and forgets it. */
async function clear() {
  await bridge?.close();
  frame?.remove();
  for (const kept of [messages, sizes, calls, links, files]) kept.length = 0;
  asked.clear();
  isInitialized = false;
}

/** In place of the view before. @param {Mount} options resolves when the document is on its way */
async function mount(options) {
  await clear();
  frame = document.createElement("iframe");
  frame.title = "Sandbox";
  frame.setAttribute("sandbox", OUTER_SANDBOX);
  const allow = buildAllowAttribute(options.permissions);
  if (allow) frame.setAttribute("allow", allow);
  frame.style.cssText = `inline-size: ${options.width}px; block-size: 300px`;
  bridge = makeBridge(options);
  const ready = new Promise((resolve) => {
    bridge.onsandboxready = resolve;
  });
  frame.src = options.sandboxUrl;
  document.body.append(frame);
  const transport = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    note("host", message);
    return send(message, ...rest);
  };
  await bridge.connect(transport);
  await ready;
  if (options.eager && options.input) sendInputAtHello(options.input);
  await bridge.sendSandboxResourceReady({ html: options.html, permissions: options.permissions });
}

/** On a timer after the view's first words, not after its `initialized`. @param {object} input */
function sendInputAtHello(input) {
  const listen = (/** @type {MessageEvent} */ { data }) => {
    if (data?.method !== "ui/initialize") return;
    removeEventListener("message", listen);
    setTimeout(() => bridge.sendToolInput({ arguments: input }), 0);
  };
  addEventListener("message", listen);
}

/** A request of the host with any method. @param {string} method @param {object} params */
function ask(method, params) {
  const id = `asked-${crypto.randomUUID()}`;
  const answer = new Promise((resolve) => asked.set(id, resolve));
  post({ jsonrpc: "2.0", id, method, params });
  return answer;
}

/** The parameters of what the view sent with one method. @param {string} method */
function said(method) {
  const ofView = messages.filter(({ from, message }) => from === "view" && message.method === method);
  return ofView.map(({ message }) => message.params ?? null);
}

/** Anything at all, past the bridge. @param {any} message */
function post(message) {
  note("host", message);
  frame.contentWindow.postMessage(message, "*");
}

addEventListener("message", overhear);

Object.assign(window, {
  host: {
    mount,
    clear,
    ask,
    post,
    said,
    messages,
    sizes,
    calls,
    links,
    files,
    initialized: () => isInitialized,
    bridge: () => bridge,
    answer: (number, result) => calls[number].answer(result),
    resize: (width) => {
      frame.style.inlineSize = `${width}px`;
    },
    postPastSandbox: (message) => frame.contentWindow.frames[0].postMessage(message, "*"),
  },
});
