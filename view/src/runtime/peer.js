import { HAS_WRITTEN_VIEW } from "../kit/written/has-view.js";
import { RpcError } from "./errors.js";

const CALL_TIMEOUT_MS = 60_000;

/**
 * @typedef {{ timeout?: number, signal?: AbortSignal }} RequestOptions `timeout` in milliseconds, 0 for none; `signal` ends the request
 * @typedef {{ method: string, params?: any }} Call
 *
 * @typedef {object} Handlers what the other side may start
 * @property {(method: string, params: any) => any} answer the answer to a request; undefined when there is none
 * @property {(method: string, params: any) => void} notice
 */

/**
 * One side of a JSON-RPC connection.
 * @param {Handlers} handlers
 */
export function peer({ answer, notice }) {
  /** Requests that wait for their answer. @type {Map<unknown, (error: any, result?: any) => void>} */
  const waiting = new Map();
  /** @type {any} */
  let transport;
  let nextId = 0;

  const send = async (/** @type {object} */ message) => transport?.send({ jsonrpc: "2.0", ...message });
  const fail = (/** @type {number} */ code, /** @type {string} */ words) => new RpcError(code, words);

  const reply = async (/** @type {any} */ { id, method, params }) => {
    try {
      const result = await answer(method, params);
      if (!result) throw fail(-32601, `Method not found: ${method}`);
      await send({ id, result });
    } catch (/** @type {any} */ error) {
      send({
        id,
        error: {
          code: Number.isInteger(error?.code) ? error.code : -32603,
          message: String(error?.message ?? error),
        },
      });
    }
  };

  const receive = (/** @type {any} */ message) => {
    const { id, method, params, result, error } = message;
    if (method === undefined)
      waiting.get(id)?.(
        error && new RpcError(error.code, String(error.message ?? "The host refused"), error.data),
        result,
      );
    else if (id !== undefined) reply(message);
    else notice(String(method), params ?? {});
  };

  return {
    /** @param {any} other a transport that is not in use */
    async open(other) {
      if (HAS_WRITTEN_VIEW && transport) throw new Error("This App is connected already");
      transport = other;
      transport.onmessage = receive;
      await transport.start();
    },
    async shut() {
      const last = transport;
      transport = undefined;
      for (const settle of [...waiting.values()]) settle(fail(-32000, "Connection closed"));
      await last?.close();
    },
    /** @param {Call} message */
    notify(message) {
      send(message);
    },
    /**
     * @param {Call} message
     * @param {RequestOptions} [options]
     * @returns {Promise<any>}
     */
    async request(message, { timeout = CALL_TIMEOUT_MS, signal } = {}) {
      if (!transport) throw fail(-32000, "Not connected: await connect() first");
      const id = nextId++;
      return new Promise((resolve, reject) => {
        const end = (/** @type {string} */ reason, /** @type {string} */ words) => {
          if (!waiting.has(id)) return;
          send({ method: "notifications/cancelled", params: { requestId: id, reason } });
          settle(fail(-32001, `${message.method} was ${words}`));
        };
        const timer =
          timeout > 0 ? setTimeout(end, timeout, "timeout", `not answered within ${timeout / 1000} s`) : 0;
        signal?.addEventListener("abort", () => end("cancelled", "cancelled"));
        /** @param {any} error @param {any} [result] */
        const settle = (error, result) => {
          clearTimeout(timer);
          waiting.delete(id);
          if (error) reject(error);
          else resolve(result);
        };
        waiting.set(id, settle);
        send({ id, ...message }).catch((error) => settle(error));
      });
    },
  };
}
