/** @import { StandIn, Tell } from "./install.js" */

/** What render data may say of the host; the rest of them is for the view. */
const CONTEXT = ["theme", "locale"];

const NO_ANSWER = "The host took the call. What came of it, it did not tell this view.";

/**
 * A host that speaks mcp-ui, as the runtime knows hosts: render data are the input and the result of the
 * tool, and what the view asks for is one of the five actions.
 * @param {Tell} tell says something to the view
 * @param {(message: object) => void} post says something to the parent window
 * @returns {StandIn}
 */
export function mcpUiHost(tell, post) {
  /** Calls that wait for their response. @type {Map<unknown, (payload: any) => void>} */
  const waiting = new Map();
  let actions = 0;

  /** Acts, and returns the id under which the host may respond. */
  const act = (/** @type {string} */ type, /** @type {object} */ payload) => {
    const messageId = `mcp-gen-ui-${++actions}`;
    post({ type, messageId, payload });
    return messageId;
  };

  /** Requests of the view, and what answers them. @type {Record<string, (params: any) => any>} */
  const answers = {
    "ui/initialize": ({ protocolVersion }) => ({
      protocolVersion,
      hostInfo: { name: "mcp-ui", version: "1" },
      hostCapabilities: {},
      hostContext: {},
    }),
    "tools/call": ({ name, arguments: params = {} }) =>
      new Promise((resolve, reject) => {
        waiting.set(act("tool", { toolName: name, params }), (payload) => {
          if (payload?.error) reject(new Error(String(payload.error.message ?? payload.error)));
          else resolve(asResult(payload?.response ?? NO_ANSWER));
        });
      }),
    "ui/message": ({ content }) => void act("prompt", { prompt: wordsOf(content) }),
    "ui/open-link": ({ url }) => void act("link", { url }),
    "ui/update-model-context": (params) => void act("intent", { intent: "update-model-context", params }),
  };

  /** Notifications of the view. @type {Record<string, (params: any) => void>} */
  const notices = {
    "notifications/message": ({ data }) =>
      act("notify", { message: typeof data === "string" ? data : JSON.stringify(data) }),
    "ui/notifications/size-changed": ({ width, height }) => act("ui-size-change", { width, height }),
  };

  return {
    answer(method, params) {
      if (!Object.hasOwn(answers, method)) throw new Error(`This host cannot do that: ${method}`);
      return answers[method]?.(params) ?? {};
    },
    notice(method, params) {
      if (Object.hasOwn(notices, method)) notices[method]?.(params);
    },
    receive({ type, messageId, payload }) {
      if (type === "ui-lifecycle-iframe-render-data") show(payload?.renderData, tell);
      if (type !== "ui-message-response") return;
      waiting.get(messageId)?.(payload);
      waiting.delete(messageId);
    },
  };
}

/** Hands render data to the view. @param {any} data @param {Tell} tell */
function show(data, tell) {
  if (data === undefined || data === null) return;
  const names = Object.keys(Object(data));
  const context = Object.fromEntries(
    CONTEXT.filter((name) => typeof data[name] === "string").map((name) => [name, data[name]]),
  );
  if (names.some((name) => name in context))
    tell({ method: "ui/notifications/host-context-changed", params: context });
  const { toolInput, toolOutput } = data;
  if (toolInput) tell({ method: "ui/notifications/tool-input", params: { arguments: toolInput } });
  const isForTool = names.some((name) => name === "toolInput" || name === "toolOutput");
  const shown = isForTool ? toolOutput : data;
  if (shown !== undefined && shown !== null && (isForTool || names.some((name) => !(name in context))))
    tell({ method: "ui/notifications/tool-result", params: asResult(shown) });
}

/** A tool's result, be it one already. @param {any} value */
function asResult(value) {
  if (typeof value === "object" && value && !Array.isArray(value))
    return Array.isArray(value.content) ? value : { content: [], structuredContent: value };
  return { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] };
}

/** @param {any} content the content of a message */
function wordsOf(content) {
  return [content ?? []]
    .flat()
    .map((item) => item?.text)
    .filter((text) => typeof text === "string")
    .join("\n");
}
