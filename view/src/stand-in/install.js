import { mcpUiHost } from "./mcp-ui.js";
import { noHost } from "./no-host.js";

/** How long a host may be silent before it is tried whether it speaks mcp-ui, in milliseconds. */
const KNOCK_AFTER_MS = 400;

/** How long a host may be silent before it is taken for one that does. */
const GIVE_UP_AFTER_MS = 4000;

/**
 * What answers in the place of an MCP Apps host.
 * @typedef {object} StandIn
 * @property {(method: string, params: any) => any} answer the result of a request; throws where there is none
 * @property {(method: string, params: any) => void} notice takes a notification
 * @property {(data: any) => void} [receive] takes what the parent window says
 *
 * @typedef {(message: { id?: unknown, method?: string, params?: any, result?: any, error?: any }) => void} Tell
 */

/**
 * Lets every transport speak with what is there: an MCP Apps host as ever, one that speaks mcp-ui through a
 * translation, and with no host where the page stands alone. The runtime and the view notice no difference.
 * @param {any} Transport the class of the runtime
 */
export function installStandIn(Transport) {
  const line = Transport.line();
  const { close } = Transport.prototype;
  /** The conversations, in a chain that no method of a collection hands out. @type {any} */
  let latest;
  const under = (/** @type {object} */ transport) => {
    let each = latest;
    while (each && each.transport !== transport) each = each.before;
    return each?.talk;
  };
  line.deliver((/** @type {any} */ transport, /** @type {any} */ message) => {
    if (message.method === "ui/initialize") {
      const talk = conversation(line, (said) => transport.onmessage?.({ jsonrpc: "2.0", ...said }));
      latest = { transport, talk, before: latest };
    }
    const talk = under(transport);
    if (talk) talk.send(message);
    else line.post(message);
  });
  Transport.prototype.close = async function () {
    under(this)?.end();
    await close.call(this);
  };
}

/**
 * One conversation, from its hello on.
 * @param {any} line to the parent window
 * @param {Tell} tell says something to the view
 */
function conversation(line, tell) {
  /** What answers in the host's place; nothing does as long as there may be a host. @type {StandIn | undefined} */
  let standIn = line.isAlone() ? noHost() : undefined;
  let stop = () => {};
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
    if (!knocked) line.post({ type: "ui-lifecycle-iframe-ready" });
    knocked = true;
  };
  const settleForMcpUi = () => {
    if (standIn) return;
    standIn = mcpUiHost(tell, line.post);
    handle(hello);
    knock();
  };
  const stopTimers = () => timers.forEach(clearTimeout);
  const end = () => {
    stopTimers();
    stop();
  };
  /** An MCP Apps host has answered, be it late: what it says counts from now on. */
  const welcome = (/** @type {any} */ result) => {
    if (standIn && !result) return;
    end();
    if (!standIn) return;
    standIn = undefined;
    line.post({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
    tell({ method: "ui/notifications/host-context-changed", params: result.hostContext ?? {} });
  };
  const hear = (/** @type {any} */ data) => {
    if (!data) return;
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
    send(/** @type {any} */ message) {
      if (!hello && !standIn) {
        stop = line.listen(hear);
        const waits = new URLSearchParams(window.location.search).get("waitForRenderData") === "true";
        timers = [
          setTimeout(knock, waits ? 0 : KNOCK_AFTER_MS),
          setTimeout(settleForMcpUi, GIVE_UP_AFTER_MS),
        ];
      }
      hello ??= message;
      if (standIn) handle(message);
      else line.post(message);
    },
  };
}
