import { mcpUiHost } from "./mcp-ui.js";
import { nobody } from "./nobody.js";

/** How long a host may be silent before it is tried whether it speaks mcp-ui, in milliseconds. */
const KNOCK_AFTER_MS = 400;

/** How long a host may be silent before it is taken for one that does. */
const GIVE_UP_AFTER_MS = 4000;

/**
 * Whoever answers in the place of an MCP Apps host.
 * @typedef {object} StandIn
 * @property {(method: string, params: any) => any} answer the result of a request; throws where there is none
 * @property {(method: string, params: any) => void} notice takes a notification
 * @property {(data: any) => void} [receive] takes what the parent window says
 *
 * @typedef {(message: { id?: unknown, method?: string, params?: any, result?: any, error?: any }) => void} Tell
 */

/**
 * Has every transport speak with whoever is there: an MCP Apps host as ever, one that speaks mcp-ui through a
 * translation, and nobody where the page stands alone. The runtime and the view notice no difference.
 * @param {any} Transport the class of the runtime
 */
export function installStandIn(Transport) {
  const { send, close } = Transport.prototype;
  /** @type {WeakMap<object, ReturnType<typeof conversation>>} */
  const under = new WeakMap();
  Transport.prototype.send = async function (/** @type {any} */ message) {
    if (message.method === "ui/initialize") under.set(this, conversation((said) => this.onmessage?.({ jsonrpc: "2.0", ...said }), (wire) => send.call(this, wire)));
    await (under.get(this)?.send(message) ?? send.call(this, message));
  };
  Transport.prototype.close = async function () {
    under.get(this)?.end();
    await close.call(this);
  };
}

/**
 * One conversation, from its hello on.
 * @param {Tell} tell says something to the view
 * @param {(message: any) => Promise<void>} pass says something to the parent window, as an MCP Apps host understands it
 */
function conversation(tell, pass) {
  /** Who answers in the host's place; nobody does as long as there may be a host. @type {StandIn | undefined} */
  let standIn = window.parent === window ? nobody() : undefined;
  /** @type {any} */
  let hello;
  let knocked = false;
  /** @type {ReturnType<typeof setTimeout>[]} */
  let timers = [];

  const handle = async (/** @type {any} */ { id, method, params }) => {
    if (id === undefined) return standIn?.notice(method, params ?? {});
    try {
      tell({ id, result: await standIn?.answer(method, params ?? {}) });
    } catch (/** @type {any} */ error) {
      tell({ id, error: { code: -32000, message: String(error?.message ?? error) } });
    }
  };
  const knock = () => {
    if (!knocked) window.parent.postMessage({ type: "ui-lifecycle-iframe-ready" }, "*");
    knocked = true;
  };
  const settleForMcpUi = () => {
    if (standIn) return;
    standIn = mcpUiHost(tell);
    handle(hello);
    knock();
  };
  const stopTimers = () => timers.forEach(clearTimeout);
  const end = () => {
    stopTimers();
    window.removeEventListener("message", listen);
  };
  /** An MCP Apps host has answered, be it late: what it says counts from now on. */
  const welcome = (/** @type {any} */ result) => {
    if (standIn && !result) return;
    end();
    if (!standIn) return;
    standIn = undefined;
    pass({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
    tell({ method: "ui/notifications/host-context-changed", params: result.hostContext ?? {} });
  };
  const listen = (/** @type {MessageEvent} */ { source, data }) => {
    if (source !== window.parent || !data) return;
    if (data.jsonrpc === "2.0") {
      if (data.id === hello.id && data.method === undefined) welcome(data.result);
    } else if (/^ui-(lifecycle-iframe-render-data|message-)/.test(data.type)) {
      stopTimers();
      settleForMcpUi();
      standIn?.receive?.(data);
    }
  };

  return {
    end,
    async send(/** @type {any} */ message) {
      if (!hello && !standIn) {
        window.addEventListener("message", listen);
        const waits = new URLSearchParams(window.location.search).get("waitForRenderData") === "true";
        timers = [setTimeout(knock, waits ? 0 : KNOCK_AFTER_MS), setTimeout(settleForMcpUi, GIVE_UP_AFTER_MS)];
      }
      hello ??= message;
      if (standIn) handle(message);
      else await pass(message);
    },
  };
}
