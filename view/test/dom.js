import { JSDOM } from "jsdom";

/** Timers of this length bound calls that a test leaves unanswered: they must not keep the process alive. */
const BOUND_MS = 10_000;
const { setTimeout: start } = globalThis;
globalThis.setTimeout = (act, after_ms, ...more) => {
  const timer = start(act, after_ms, ...more);
  return after_ms >= BOUND_MS ? timer.unref() : timer;
};

/**
 * Puts a fresh document into the globals that the view's modules use.
 * @param {string} [body]
 */
export function freshDom(body = "") {
  const { window } = new JSDOM(`<!DOCTYPE html><html lang="en"><head></head><body>${body}</body></html>`, {
    pretendToBeVisual: true,
  });
  const names = [
    "window",
    "document",
    "Node",
    "Element",
    "HTMLElement",
    "HTMLTableElement",
    "DOMParser",
    "HTMLInputElement",
    "HTMLTextAreaElement",
    "HTMLDialogElement",
    "Document",
    "EventTarget",
    "navigator",
    "Event",
    "MouseEvent",
    "KeyboardEvent",
    "SubmitEvent",
    "MessageEvent",
    "getComputedStyle",
  ];
  for (const name of names)
    Object.defineProperty(globalThis, name, {
      value: name === "window" ? window : window[name],
      configurable: true,
      writable: true,
    });
  for (const name of ["addEventListener", "removeEventListener"])
    Object.defineProperty(globalThis, name, {
      value: window[name].bind(window),
      configurable: true,
      writable: true,
    });
  return window;
}

/** Types into a control the way a person's whole paste arrives. */
export function type(control, text) {
  control.focus();
  control.value = text;
  control.dispatchEvent(new window.Event("input", { bubbles: true }));
}
