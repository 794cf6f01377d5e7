import { defineProperty } from "./native.js";

/** Every event of the App API. */
const EVENT_NAMES = [
  "toolinput",
  "toolinputpartial",
  "toolresult",
  "toolcancelled",
  "hostcontextchanged",
  "notifications/progress",
];

/** Events which happen once and would be lost on a handler that comes late. */
const REPLAYED = /^tool(input|result|cancelled)$/;

/** @typedef {(params: any) => unknown} Handler */

/**
 * Gives an App its listeners and its `on…` handlers. What no handler heard is kept and given
 * to the first handler that comes later.
 * @param {any} app
 * @returns {(name: string, params: any) => void} hands an event to its handlers
 */
export function installEvents(app) {
  /** @type {Map<string, Set<Handler>>} */
  const listeners = new Map(EVENT_NAMES.map((name) => [name, new Set()]));
  /** @type {Map<string, any>} */
  const unheard = new Map();
  const run = async (/** @type {Handler} */ handler, /** @type {any} */ params) => {
    try {
      await handler(params);
    } catch (error) {
      (app.onerror ?? console.error)(error);
    }
  };

  app.removeEventListener = (/** @type {string} */ name, /** @type {Handler} */ handler) => {
    listeners.get(name)?.delete(handler);
  };
  app.addEventListener = (/** @type {string} */ name, /** @type {Handler | null | undefined} */ handler) => {
    if (!handler) return;
    listeners.get(name)?.add(handler);
    if (!unheard.has(name)) return;
    const params = unheard.get(name);
    unheard.delete(name);
    queueMicrotask(() => run(handler, params));
  };
  for (const name of EVENT_NAMES) {
    /** @type {any} */
    let current;
    defineProperty(app, `on${name}`, {
      get: () => current,
      set(handler) {
        app.removeEventListener(name, current);
        app.addEventListener(name, (current = handler));
      },
    });
  }

  return (name, params) => {
    const handlers = [...(listeners.get(name) ?? [])];
    if (handlers.length) unheard.delete(name);
    else if (REPLAYED.test(name)) unheard.set(name, params);
    for (const handler of handlers) run(handler, params);
  };
}
