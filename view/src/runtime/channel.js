import { getter } from "./native.js";

/** @typedef {(data: any) => void} Hear */

/**
 * The parent window alone. It is looked up at every use, as hosts may replace it, until `keep`:
 * from then on nothing that runs in the page changes who is spoken with.
 */
let parentNow = () => window.parent;
let add = (/** @type {any} */ listener) => window.addEventListener("message", listener);
let remove = (/** @type {any} */ listener) => window.removeEventListener("message", listener);
let sourceOf = (/** @type {MessageEvent} */ event) => /** @type {unknown} */ (event.source);

/** Keeps parent and listener functions as they are. */
export function keepChannel() {
  const { parent, addEventListener: listen, removeEventListener: unlisten } = window;
  const native = getter(MessageEvent.prototype, "source");
  parentNow = () => parent;
  add = listen.bind(window, "message");
  remove = unlisten.bind(window, "message");
  // One host hands out events of its own, which the browser's getter does not take. They name the parent as the page has it: none any more.
  sourceOf = (event) => {
    try {
      return native(event);
    } catch {
      return event.source ?? parent;
    }
  };
}

/** Whether no window holds this one. */
export function isAlone() {
  return parentNow() === window;
}

/** @param {unknown} message */
export function post(message) {
  /** @type {any} */ (parentNow()).postMessage(message, "*");
}

/** Hears what the parent says until the returned function is called. @param {Hear} hear */
export function listen(hear) {
  const listener = (/** @type {MessageEvent} */ event) => {
    if (sourceOf(event) === parentNow()) hear(event.data);
  };
  add(listener);
  return () => remove(listener);
}
