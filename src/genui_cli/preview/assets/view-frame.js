// The outer frame on the sandbox's origin, and the messages through it.

import { has } from "./profiles.js";

const OUTER_SANDBOX = "allow-scripts allow-same-origin allow-forms";
const RESERVED = "ui/notifications/sandbox-";
const PERMISSIONS = {
  camera: "camera",
  microphone: "microphone",
  geolocation: "geolocation",
  clipboardWrite: "clipboard-write",
};

/**
 * The address of the sandbox. It takes the loopback name that the page does not have: another site, not just
 * another origin, so that a view gets a process of its own and a busy one cannot freeze the page.
 */
function sandboxOrigin(port) {
  const name = location.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return `http://${name}:${port}`;
}

function allowed(permissions = {}) {
  return Object.keys(PERMISSIONS)
    .filter((name) => permissions?.[name])
    .map((name) => PERMISSIONS[name])
    .join("; ");
}

export class ViewFrame {
  /**
   * `kind` is the name of the kind of host and `profile` what is special about it; `onMessage` gets what the view
   * says, `onDiagnostic` what the sandbox noticed about it.
   */
  constructor({ port, kind, profile, resource, label, onMessage, onDiagnostic }) {
    this.#origin = sandboxOrigin(port);
    this.#resource = resource;
    this.#profile = profile;
    this.#onMessage = onMessage;
    this.#onDiagnostic = onDiagnostic;
    this.element = document.createElement("iframe");
    this.element.title = label;
    this.element.className = "view-frame";
    this.element.setAttribute("sandbox", OUTER_SANDBOX);
    this.element.setAttribute("referrerpolicy", "origin");
    this.#allow = allowed(resource.permissions);
    if (this.#allow) this.element.setAttribute("allow", this.#allow);
    const asked = new URLSearchParams({ profile: kind });
    if (resource.csp) asked.set("csp", JSON.stringify(resource.csp));
    this.element.src = `${this.#origin}/?${asked}`;
    window.addEventListener("message", this.#receive);
  }

  #origin;
  #resource;
  #profile;
  #allow;
  #onMessage;
  #onDiagnostic;
  #delivered = false;

  send(message) {
    this.element.contentWindow?.postMessage(message, this.#origin);
  }

  remove() {
    window.removeEventListener("message", this.#receive);
    this.element.remove();
  }

  #receive = (event) => {
    if (event.source !== this.element.contentWindow || event.origin !== this.#origin) return;
    const message = event.data;
    if (message?.method === `${RESERVED}proxy-ready`) this.#deliver();
    else if (message?.method === `${RESERVED}diagnostic`) this.#onDiagnostic(message.params);
    else if (typeof message === "object" && message !== null) this.#onMessage(message);
  };

  #deliver() {
    if (this.#delivered) return;
    this.#delivered = true;
    const { html, csp, permissions } = this.#resource;
    const { sandbox, opaque = false } = this.#profile;
    const standInParent = has(this.#profile, "standInParent");
    const params = { html, csp, permissions, sandbox, opaque, standInParent, allow: this.#allow };
    this.send({ jsonrpc: "2.0", method: `${RESERVED}resource-ready`, params });
  }
}
