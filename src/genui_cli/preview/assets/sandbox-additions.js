// What is added to a view's window. Each function may be written into the view's document, and must not name anything
// outside itself: where the window is out of reach, and where messages have to come from the view's own realm.
"use strict";

/** Tell of what the view's own window reports: errors, its console, what the policy blocked. */
function observeView(view, tell) {
  const text = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof view.Error) return String(value);
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  view.addEventListener("securitypolicyviolation", (event) => {
    const where = event.lineNumber ? `line ${event.lineNumber}` : "";
    tell({ kind: "policy", text: `${event.effectiveDirective} blocked ${event.blockedURI}`, where });
  });
  view.addEventListener("error", (event) => {
    // A size that changed once more in the same frame: browsers report it as an error, and nothing is lost.
    const isNotice = /^ResizeObserver loop/.test(event.message);
    const where = event.lineno ? `line ${event.lineno}` : "";
    if (event.message) tell({ kind: isNotice ? "console.warn" : "error", text: event.message, where });
  });
  view.addEventListener("unhandledrejection", (event) => {
    tell({ kind: "error", text: `Unhandled rejection: ${text(event.reason)}`, where: "" });
  });
  for (const level of ["error", "warn"]) {
    const original = view.console[level];
    view.console[level] = (...parts) => {
      tell({ kind: `console.${level}`, text: parts.map(text).join(" "), where: "" });
      original.apply(view.console, parts);
    };
  }
}

/** Give the view a parent that is not its parent, as an editor's web view has it; messages seem to come from there. */
function standInForParent(view) {
  const parent = view.parent;
  const listen = view.addEventListener.bind(view);
  const post = (message) => parent.postMessage(message, "*");
  const standIn = new Proxy(view, {
    get: (target, name) => (name === "postMessage" ? post : Reflect.get(target, name)),
  });
  const seen = (event) =>
    new Proxy(event, { get: (target, name) => (name === "source" ? standIn : target[name]) });
  view.addEventListener = (type, listener, ...more) => {
    if (type !== "message" || typeof listener !== "function") return listen(type, listener, ...more);
    return listen(
      type,
      (event) => listener.call(view, event.source === parent ? seen(event) : event),
      ...more,
    );
  };
  Object.defineProperty(view, "parent", { value: standIn, configurable: true });
}
