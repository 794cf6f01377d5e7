/** @typedef {{ jsonrpc: "2.0", id?: number | string, method?: string, params?: any, result?: any, error?: any }} Message */

/**
 * JSON-RPC messages to and from the parent window, and nobody else.
 * `window.parent` and `window.addEventListener` are looked up at every use:
 * one host replaces them with proxies of its own.
 */
export class PostMessageTransport {
  /** @type {((message: Message) => void) | undefined} */
  onmessage;

  /** @type {(() => void) | undefined} */
  onclose;

  /** Starts to listen. */
  async start() {
    window.addEventListener("message", this.#listen);
  }

  /** @param {Message} message */
  async send(message) {
    window.parent.postMessage(message, "*");
  }

  /** Stops listening. */
  async close() {
    window.removeEventListener("message", this.#listen);
    this.onclose?.();
  }

  #listen = (/** @type {MessageEvent} */ { source, data }) => {
    if (source === window.parent && data?.jsonrpc === "2.0") this.onmessage?.(data);
  };
}
