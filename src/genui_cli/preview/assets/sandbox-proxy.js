// The sandbox proxy of MCP Apps: the page talks to this document, this document holds the view in a frame of
// its own and passes messages on. It is on another origin than the page, so that a view can reach neither.
"use strict";

(() => {
  const hostOrigin = new URL(document.referrer).origin;
  const RESERVED = "ui/notifications/sandbox-";
  const inner = document.createElement("iframe");
  inner.title = "View";

  function tellHost(name, params) {
    window.parent.postMessage({ jsonrpc: "2.0", method: RESERVED + name, params }, hostOrigin);
  }

  function text(value) {
    if (typeof value === "string") return value;
    if (value instanceof inner.contentWindow.Error) return String(value);
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  }

  // Nothing of the view's document is changed; what it reports to its own window is copied to the host.
  function observe(view) {
    view.addEventListener("securitypolicyviolation", (event) => {
      const where = event.lineNumber ? `line ${event.lineNumber}` : "";
      tellHost("diagnostic", { kind: "policy", text: `${event.effectiveDirective} blocked ${event.blockedURI}`, where });
    });
    view.addEventListener("error", (event) => {
      if (event.message) tellHost("diagnostic", { kind: "error", text: event.message, where: `line ${event.lineno}` });
    });
    view.addEventListener("unhandledrejection", (event) => {
      tellHost("diagnostic", { kind: "error", text: `Unhandled rejection: ${text(event.reason)}`, where: "" });
    });
    for (const level of ["error", "warn"]) {
      const original = view.console[level];
      view.console[level] = (...parts) => {
        tellHost("diagnostic", { kind: `console.${level}`, text: parts.map(text).join(" "), where: "" });
        original.apply(view.console, parts);
      };
    }
  }

  function show({ html, sandbox, allow }) {
    inner.setAttribute("sandbox", sandbox ?? "allow-scripts allow-same-origin allow-forms");
    if (allow) inner.setAttribute("allow", allow);
    document.body.append(inner);
    const view = inner.contentDocument;
    // Opening a document drops the listeners of its window, so the observers come after it.
    view.open();
    observe(inner.contentWindow);
    view.write(html);
    view.close();
  }

  function fromHost(event) {
    if (event.origin !== hostOrigin) return;
    if (event.data?.method === `${RESERVED}resource-ready`) show(event.data.params);
    else inner.contentWindow?.postMessage(event.data, "*");
  }

  function fromView(event) {
    const method = event.data?.method;
    // The reserved names are this document's own: a view must not speak in its place.
    if (typeof method === "string" && method.startsWith(RESERVED)) return;
    window.parent.postMessage(event.data, hostOrigin);
  }

  window.addEventListener("message", (event) => {
    if (event.source === window.parent) fromHost(event);
    else if (event.source === inner.contentWindow) fromView(event);
  });
  tellHost("proxy-ready", {});
})();
