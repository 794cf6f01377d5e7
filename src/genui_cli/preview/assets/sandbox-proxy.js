// The sandbox proxy of MCP Apps: the page talks to this document, this document holds the view in a frame of
// its own and passes messages on. It is on another origin than the page, so that a view can reach neither.
"use strict";

(() => {
  const hostOrigin = new URL(document.referrer).origin;
  const RESERVED = "ui/notifications/sandbox-";
  const inner = document.createElement("iframe");
  inner.title = "View";
  // What an observer inside the view signs its reports with: the view itself never sees it.
  const signature = crypto.randomUUID();

  function tellHost(name, params) {
    window.parent.postMessage({ jsonrpc: "2.0", method: RESERVED + name, params }, hostOrigin);
  }

  const report = (diagnostic) => tellHost("diagnostic", diagnostic);

  function show({ html, sandbox, allow, opaque, standInParent }) {
    inner.setAttribute("sandbox", sandbox);
    if (allow) inner.setAttribute("allow", allow);
    const added = [opaque && observer(), standInParent && `(${standInForParent})(window);`].filter(Boolean);
    const whole = added.length ? withScript(html, added.join("")) : html;
    if (opaque) inner.srcdoc = whole;
    document.body.append(inner);
    if (!opaque) write(whole);
  }

  function write(html) {
    const view = inner.contentDocument;
    // Opening a document drops the listeners of its window, so the observers come after it.
    view.open();
    observeView(inner.contentWindow, report);
    view.write(html);
    view.close();
  }

  /** An opaque origin cannot be reached into: its observer has to be in the document. */
  function observer() {
    const tell = `(diagnostic) => parent.postMessage({ signature: ${JSON.stringify(signature)}, diagnostic }, "*")`;
    return `{ const { parent } = window; (${observeView})(window, ${tell}); }`;
  }

  /** The document with a script that comes first, and takes its own text away. */
  function withScript(html, code) {
    const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
    return `${doctype}<script>${code}document.currentScript.remove();</script>${html.slice(doctype.length)}`;
  }

  function fromHost(event) {
    if (event.origin !== hostOrigin) return;
    if (event.data?.method === `${RESERVED}resource-ready`) show(event.data.params);
    else inner.contentWindow?.postMessage(event.data, "*");
  }

  function fromView(event) {
    if (event.data?.signature === signature) {
      report(event.data.diagnostic);
      return;
    }
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
