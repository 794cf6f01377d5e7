import { entriesOf } from "../kit/plain.js";
import { HAS_WRITTEN_VIEW } from "../kit/written/has-view.js";
import { installEvents } from "./events.js";
import { peer } from "./peer.js";
import { watchSize } from "./size.js";
import { PostMessageTransport } from "./transport.js";
/** @import { RequestOptions } from "./peer.js" */

/** The generation of the MCP Apps protocol that the runtime speaks. */
export const PROTOCOL_VERSION = "2026-01-26";

/** Methods of the App that are one request each; what only documents call is added for them. @type {Record<string, string>} */
export const REQUESTS = {
  sendMessage: "ui/message",
  updateModelContext: "ui/update-model-context",
  openLink: "ui/open-link",
  downloadFile: "ui/download-file",
  requestDisplayMode: "ui/request-display-mode",
};

/** Methods of the App that are one notification each. @type {Record<string, string>} */
export const NOTICES = {
  sendLog: "notifications/message",
  sendSizeChanged: "ui/notifications/size-changed",
};

/** What the host may ask → handler of the App that answers. */
const ANSWERED = new Map([
  ["ui/resource-teardown", "onteardown"],
  ["tools/call", "oncalltool"],
  ["tools/list", "onlisttools"],
]);

/** What is answered when there is no such handler. */
const NEEDS_NO_HANDLER = ["ping", "ui/resource-teardown"];

/**
 * @typedef {object} AppOptions
 * @property {boolean} [autoResize] report the size by itself (true)
 * @property {boolean} [echoToolResults] give the result of the view's own tool call to the
 *   result handlers too, which hosts do not (true)
 * @property {string} [toolName] the view's own tool, when the host does not say
 */

/**
 * The view's side of the MCP Apps protocol, with the App API of ext-apps: `on…` handlers,
 * `addEventListener`, one method for each request, `connect` and `close`.
 */
export class App {
  /** The page's own tool, for every App that is not told otherwise. @type {string | undefined} */
  static toolName;

  /** Called with every App that is made. @type {((app: any) => void) | undefined} */
  static made;

  /** Called with each result that an App dispatches. @type {((result: any) => void) | undefined} */
  static onresult;

  /**
   * @param {{ name: string, version: string }} appInfo
   * @param {object} [appCapabilities]
   * @param {AppOptions} [options]
   */
  constructor(appInfo, appCapabilities = {}, { autoResize = true, echoToolResults = true, toolName } = {}) {
    const app = /** @type {any} */ (this);
    /** @type {any} */
    let host = {};
    /** @type {any} */
    let context;
    let stopSize = () => {};

    const emit = installEvents(app);
    const dispatch = (/** @type {string} */ name, /** @type {any} */ params) => {
      emit(name, params);
      if (HAS_WRITTEN_VIEW && name === "toolresult") App.onresult?.(params);
    };
    const { open, shut, request, notify } = peer({
      async answer(method, params) {
        const handler = app[ANSWERED.get(method) ?? ""];
        if (handler) return (await handler(params, {})) ?? {};
        return NEEDS_NO_HANDLER.includes(method) ? {} : undefined;
      },
      notice(method, params) {
        const name = method.replace("ui/notifications/", "").replaceAll("-", "");
        if (name === "hostcontextchanged") context = { ...context, ...params };
        dispatch(name, params);
      },
    });

    for (const [name, method] of entriesOf(REQUESTS))
      app[name] = (/** @type {any} */ params, /** @type {RequestOptions} */ options) =>
        request({ method, params }, options);
    for (const [name, method] of entriesOf(NOTICES))
      app[name] = async (/** @type {any} */ params) => notify({ method, params });
    this.getHostContext = () => context;
    this.getHostCapabilities = () => host.hostCapabilities;
    if (HAS_WRITTEN_VIEW) {
      this.request = request;
      this.notification = notify;
      this.getHostVersion = () => host.hostInfo;
    }

    /** Reports every change of the size until the returned function is called. */
    this.setupSizeChangedNotifications = () => watchSize(app.sendSizeChanged);

    /**
     * Says hello to the host; resolves when the host answered.
     * @param {any} [transport]
     * @param {RequestOptions} [options]
     */
    this.connect = async (transport = new PostMessageTransport(), options) => {
      await open(transport);
      try {
        host =
          (await request(
            {
              method: "ui/initialize",
              params: { appInfo, appCapabilities, protocolVersion: PROTOCOL_VERSION },
            },
            options,
          )) ?? {};
      } catch (error) {
        await app.close();
        throw error;
      }
      context = { ...host.hostContext, ...context };
      notify({ method: "ui/notifications/initialized" });
      if (autoResize) stopSize = app.setupSizeChangedNotifications();
    };

    /** Leaves the host; what is waiting is refused. */
    this.close = async () => {
      stopSize();
      await shut();
      app.onclose?.();
    };

    /**
     * Calls a tool of the server and returns its result.
     * @param {{ name: string, arguments?: object }} params
     * @param {RequestOptions} [options]
     */
    this.callServerTool = async (params, options) => {
      if (HAS_WRITTEN_VIEW && typeof params?.name !== "string")
        throw new TypeError('callServerTool() takes one object: { name: "tool", arguments: {} }');
      const result = await request({ method: "tools/call", params }, options);
      if (
        HAS_WRITTEN_VIEW &&
        echoToolResults &&
        params.name === (context?.toolInfo?.tool?.name ?? toolName ?? App.toolName)
      )
        dispatch("toolresult", result);
      return result;
    };
    if (HAS_WRITTEN_VIEW) App.made?.(this);
  }
}
