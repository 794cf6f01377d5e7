import { RpcError } from "./errors.js";
import { EVENT_NAMES, EVENT_OF, Events } from "./events.js";
import { watchSize } from "./size.js";
import { PostMessageTransport } from "./transport.js";

/** The generation of the MCP Apps protocol that the runtime speaks. */
export const PROTOCOL_VERSION = "2026-01-26";

const CALL_TIMEOUT_MS = 60_000;

/** Methods of the App that are one request each. @type {Record<string, string>} */
const REQUESTS = {
  readServerResource: "resources/read",
  listServerResources: "resources/list",
  sendMessage: "ui/message",
  updateModelContext: "ui/update-model-context",
  openLink: "ui/open-link",
  sendOpenLink: "ui/open-link",
  downloadFile: "ui/download-file",
  requestDisplayMode: "ui/request-display-mode",
};

/** Methods of the App that are one notification each. @type {Record<string, string>} */
const NOTICES = {
  requestTeardown: "ui/notifications/request-teardown",
  sendLog: "notifications/message",
  sendSizeChanged: "ui/notifications/size-changed",
};

/**
 * @typedef {{ timeout?: number }} RequestOptions `timeout` in milliseconds, 0 for none
 * @typedef {object} AppOptions
 * @property {boolean} [autoResize] report the size by itself (true)
 * @property {boolean} [echoToolResults] give the result of the view's own tool call to the
 *   result handlers too, which hosts do not (true)
 * @property {string} [toolName] the view's own tool, when the host does not say
 */

/**
 * @typedef {(params: any, options?: RequestOptions) => Promise<any>} Request
 * @typedef {(params?: any) => Promise<void>} Notice
 */

/** The view's side of the MCP Apps protocol, with the App API of ext-apps. */
export class App {
  /** The page's own tool, for every App that is not told otherwise. @type {string | undefined} */
  static toolName;

  /** @type {((params: any, extra: any) => any) | undefined} */ onteardown;
  /** @type {((params: any, extra: any) => any) | undefined} */ oncalltool;
  /** @type {((params: any, extra: any) => any) | undefined} */ onlisttools;
  /** @type {((error: any) => void) | undefined} */ onerror;
  /** @type {(() => void) | undefined} */ onclose;

  #info;
  #capabilities;
  /** @type {AppOptions} */ #options;
  /** @type {any} */ #transport;
  /** @type {any} */ #host = {};
  /** @type {any} */ #context;
  /** @type {Map<unknown, { resolve: (value: any) => void, reject: (error: Error) => void }>} */ #pending = new Map();
  #nextId = 0;
  #events = new Events((error) => (this.onerror ? this.onerror(error) : console.error(error)));
  /** @type {(() => void) | undefined} */ #stopSize;

  /**
   * @param {{ name: string, version: string }} info
   * @param {object} [capabilities]
   * @param {AppOptions} [options]
   */
  constructor(info, capabilities = {}, options = {}) {
    this.#info = info;
    this.#capabilities = capabilities;
    this.#options = options;
    for (const name of EVENT_NAMES)
      Object.defineProperty(this, `on${name}`, {
        get: () => this.#events.get(name),
        set: (handler) => this.#events.set(name, handler),
      });
  }

  /** @param {string} name @param {(params: any) => unknown} handler */
  addEventListener(name, handler) {
    this.#events.add(name, handler);
  }

  /** @param {string} name @param {(params: any) => unknown} handler */
  removeEventListener(name, handler) {
    this.#events.remove(name, handler);
  }

  /**
   * Says hello to the host; resolves when the host answered.
   * @param {any} [transport]
   * @param {RequestOptions} [options]
   */
  async connect(transport = new PostMessageTransport(), options) {
    if (this.#transport) throw new Error("This App is connected already");
    this.#transport = transport;
    transport.onmessage = (/** @type {any} */ message) => this.#receive(message);
    await transport.start();
    try {
      const params = { appInfo: this.#info, appCapabilities: this.#capabilities, protocolVersion: PROTOCOL_VERSION };
      this.#host = (await this.request({ method: "ui/initialize", params }, options)) ?? {};
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#context = { ...this.#host.hostContext, ...this.#context };
    this.notification({ method: "ui/notifications/initialized" });
    if (this.#options.autoResize !== false) this.#stopSize = this.setupSizeChangedNotifications();
  }

  /** Leaves the host; what is waiting is refused. */
  async close() {
    const transport = this.#transport;
    this.#transport = undefined;
    this.#stopSize?.();
    for (const { reject } of this.#pending.values()) reject(new RpcError(-32000, "Connection closed"));
    this.#pending.clear();
    await transport?.close();
    this.onclose?.();
  }

  getHostContext() { return this.#context; }
  getHostCapabilities() { return this.#host.hostCapabilities; }
  getHostVersion() { return this.#host.hostInfo; }

  /**
   * Calls a tool of the server and returns its result.
   * @param {{ name: string, arguments?: object }} params
   * @param {RequestOptions} [options]
   */
  async callServerTool(params, options) {
    if (typeof params?.name !== "string")
      throw new TypeError('callServerTool() takes one object: { name: "tool", arguments: {} }');
    const result = await this.request({ method: "tools/call", params }, options);
    const own = this.#context?.toolInfo?.tool?.name ?? this.#options.toolName ?? App.toolName;
    if (this.#options.echoToolResults !== false && params.name === own) this.#events.dispatch("toolresult", result);
    return result;
  }

  /** @returns {() => void} stops the reports */
  setupSizeChangedNotifications() {
    return watchSize((params) => this.notification({ method: NOTICES.sendSizeChanged, params }));
  }

  /** @param {{ method: string, params?: any }} message */
  notification(message) {
    this.#transport?.send({ jsonrpc: "2.0", ...message });
  }

  /**
   * @param {{ method: string, params?: any }} message
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  request(message, { timeout = CALL_TIMEOUT_MS } = {}) {
    if (!this.#transport) return Promise.reject(new RpcError(-32000, "Not connected: await connect() first"));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = timeout > 0 && setTimeout(() => this.#expire(id, message.method, timeout), timeout);
      const settle = (/** @type {(value: any) => void} */ done) => (/** @type {any} */ value) => {
        if (timer) clearTimeout(timer);
        done(value);
      };
      this.#pending.set(id, { resolve: settle(resolve), reject: settle(reject) });
      Promise.resolve(this.#transport.send({ jsonrpc: "2.0", id, ...message })).catch((error) => this.#fail(id, error));
    });
  }

  /** @param {number} id @param {string} method @param {number} timeout */
  #expire(id, method, timeout) {
    this.notification({ method: "notifications/cancelled", params: { requestId: id, reason: "timeout" } });
    this.#fail(id, new RpcError(-32001, `${method} was not answered within ${timeout / 1000} s`));
  }

  /** @param {unknown} id @param {Error} error */
  #fail(id, error) {
    this.#pending.get(id)?.reject(error);
    this.#pending.delete(id);
  }

  /** @param {any} message */
  #receive(message) {
    if (message.method === undefined) this.#settle(message);
    else if (message.id !== undefined) this.#answer(message);
    else this.#notice(message);
  }

  /** @param {any} message an answer of the host to a request of ours */
  #settle({ id, result, error }) {
    if (error) this.#fail(id, new RpcError(error.code, String(error.message ?? "The host refused"), error.data));
    else this.#pending.get(id)?.resolve(result);
    this.#pending.delete(id);
  }

  /** @param {any} message a notification of the host */
  #notice({ method, params = {} }) {
    const name = EVENT_OF.get(method);
    if (!name) return;
    if (name === "hostcontextchanged") this.#context = { ...this.#context, ...params };
    this.#events.dispatch(name, params);
  }

  /** @param {any} message a request of the host */
  async #answer({ id, method, params }) {
    const handler = {
      __proto__: null,
      ping: () => ({}),
      "ui/resource-teardown": this.onteardown ?? (() => ({})),
      "tools/call": this.oncalltool,
      "tools/list": this.onlisttools,
    }[/** @type {string} */ (method)];
    const transport = this.#transport;
    try {
      if (typeof handler !== "function") throw new RpcError(-32601, `Method not found: ${method}`);
      transport.send({ jsonrpc: "2.0", id, result: (await handler(params, {})) ?? {} });
    } catch (/** @type {any} */ error) {
      const code = Number.isInteger(error?.code) ? error.code : -32603;
      transport.send({ jsonrpc: "2.0", id, error: { code, message: String(error?.message ?? error) } });
    }
  }
}

for (const [name, method] of Object.entries(REQUESTS))
  define(name, function (params, options) { return this.request({ method, params }, options); });
for (const [name, method] of Object.entries(NOTICES))
  define(name, async function (params) { this.notification({ method, params }); });

/** @param {string} name @param {(this: App, params: any, options?: any) => any} value */
function define(name, value) {
  Object.defineProperty(App.prototype, name, { value, configurable: true, writable: true });
}
