// JSON-RPC with a view: requests both ways, each side with numbers of its own.

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

/** An error that a handler wants the view to get. */
export class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  asWire() {
    return { code: this.code, message: this.message };
  }
}

export class ViewPeer {
  /**
   * `requests` and `notifications` map methods to functions of the params; `post` sends a message; `record`
   * sees every message of either direction.
   */
  constructor({ post, requests, notifications, record }) {
    this.#post = post;
    this.#requests = requests;
    this.#notifications = notifications;
    this.#record = record;
  }

  #post;
  #requests;
  #notifications;
  #record;
  #numbers = 0;
  #waiting = new Map();
  #underWay = new Map();

  notify(method, params) {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Ask the view and wait for its answer, at most `milliseconds`; no answer in time is null. */
  ask(method, params, milliseconds) {
    const id = this.#numbers++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(id, null), milliseconds);
      this.#waiting.set(id, { resolve, timer });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Cancel the view's requests: the view is gone. */
  close() {
    for (const abort of this.#underWay.values()) abort.abort();
  }

  receive(message) {
    this.#record("view", message);
    if (typeof message.method !== "string") this.#settle(message.id, message);
    else if (message.id === undefined) this.#notified(message);
    else this.#answer(message);
  }

  #settle(id, message) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.resolve(message);
  }

  #notified({ method, params }) {
    if (method === "notifications/cancelled") this.#underWay.get(params?.requestId)?.abort();
    else if (Object.hasOwn(this.#notifications, method)) this.#notifications[method](params ?? {});
  }

  async #answer({ id, method, params }) {
    const abort = new AbortController();
    this.#underWay.set(id, abort);
    try {
      if (!Object.hasOwn(this.#requests, method)) {
        throw new Refusal(METHOD_NOT_FOUND, `The preview does not support ${method}`);
      }
      const result = await this.#requests[method](params ?? {}, abort.signal);
      this.#send({ jsonrpc: "2.0", id, result });
    } catch (failure) {
      // A cancelled request gets no answer: that is the protocol's rule.
      if (!abort.signal.aborted) this.#send({ jsonrpc: "2.0", id, error: wireError(failure) });
    } finally {
      this.#underWay.delete(id);
    }
  }

  #send(message) {
    this.#record("host", message);
    this.#post(message);
  }
}

function wireError(failure) {
  return failure.asWire?.() ?? { code: -32603, message: String(failure.message ?? failure) };
}
