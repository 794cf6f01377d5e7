/** Event name of the App API → notification that carries it. */
const NOTIFICATIONS = {
  toolinput: "ui/notifications/tool-input",
  toolinputpartial: "ui/notifications/tool-input-partial",
  toolresult: "ui/notifications/tool-result",
  toolcancelled: "ui/notifications/tool-cancelled",
  hostcontextchanged: "ui/notifications/host-context-changed",
};

/** Every event name of the App API. */
export const EVENT_NAMES = Object.keys(NOTIFICATIONS);

/** Notification method → event name. @type {Map<string, string>} */
export const EVENT_OF = new Map(Object.entries(NOTIFICATIONS).map(([name, method]) => [method, name]));

/** Events which happen once and would be lost on a handler that comes late. */
const REPLAYED = new Set(["toolinput", "toolresult", "toolcancelled"]);

/** @typedef {(params: any) => unknown} Handler */

/**
 * Handlers by event name, both `on…` and listeners. What nobody heard is kept
 * and given to the first handler that is set later.
 */
export class Events {
  /** @type {Map<string, Handler>} */ #single = new Map();
  /** @type {Map<string, Set<Handler>>} */ #listeners = new Map();
  /** @type {Map<string, any>} */ #unheard = new Map();
  #report;

  /** @param {(error: unknown) => void} report called with what a handler throws */
  constructor(report) {
    this.#report = report;
  }

  /** @param {string} name */
  get(name) {
    return this.#single.get(name);
  }

  /** @param {string} name @param {Handler | null | undefined} handler */
  set(name, handler) {
    if (!handler) {
      this.#single.delete(name);
      return;
    }
    this.#single.set(name, handler);
    this.#replay(name, handler);
  }

  /** @param {string} name @param {Handler} handler */
  add(name, handler) {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(handler));
    this.#replay(name, handler);
  }

  /** @param {string} name @param {Handler} handler */
  remove(name, handler) {
    this.#listeners.get(name)?.delete(handler);
  }

  /** @param {string} name @param {any} params */
  dispatch(name, params) {
    const single = this.#single.get(name);
    const handlers = [...(single ? [single] : []), ...(this.#listeners.get(name) ?? [])];
    if (handlers.length) this.#unheard.delete(name);
    else if (REPLAYED.has(name)) this.#unheard.set(name, params);
    for (const handler of handlers) this.#run(handler, params);
  }

  /** @param {string} name @param {Handler} handler */
  #replay(name, handler) {
    if (!this.#unheard.has(name)) return;
    const params = this.#unheard.get(name);
    this.#unheard.delete(name);
    queueMicrotask(() => this.#run(handler, params));
  }

  /** @param {Handler} handler @param {any} params */
  async #run(handler, params) {
    try {
      await handler(params);
    } catch (error) {
      this.#report(error);
    }
  }
}
