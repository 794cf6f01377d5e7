import { isAlone, listen, post } from "./channel.js";
import { admit, learnName } from "./gate.js";
/** @typedef {{ jsonrpc: "2.0", id?: number | string, method?: string, params?: any, result?: any, error?: any }} Message */
/** @typedef {(transport: any, wire: any) => void} Deliver */

/** Brings a message that may be sent to the host. @type {Deliver} */
let deliver = (_, wire) => post(wire);
let isSealed = false;

/** From here on no one takes the line to the parent window. Call it before code that others wrote. */
export function sealTransport() {
  isSealed = true;
}

/** JSON-RPC messages to and from the parent window alone. */
export class PostMessageTransport {
  /** The line to the parent window, for what else the page brings. */
  static line() {
    if (isSealed) throw new Error("The page has begun");
    return {
      post,
      listen,
      isAlone,
      deliver: (/** @type {Deliver} */ by) => {
        deliver = by;
      },
    };
  }

  /** @type {((message: Message) => void) | undefined} */
  onmessage;

  /** @type {(() => void) | undefined} */
  onclose;

  #stop = () => {};

  /** Starts to listen. */
  async start() {
    this.#stop = listen((data) => {
      if (data?.jsonrpc !== "2.0") return;
      learnName(data);
      this.onmessage?.(data);
    });
  }

  /**
   * Sends a message; a call of a tool only if the page may make it.
   * @param {Message} message
   */
  send(message) {
    return /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        admit(
          message,
          (wire) => {
            deliver(this, wire);
            resolve();
          },
          reject,
        );
      })
    );
  }

  /** Stops listening. */
  async close() {
    this.#stop();
    this.onclose?.();
  }
}
