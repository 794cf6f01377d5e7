// The messages between host and view, newest last, each one open to see whole.

import { el, icon } from "./dom.js";
import { jsonBlock } from "./json-text.js";

const MOST = 500;

export class MessageLog {
  constructor({ list, count, clear }) {
    this.#list = list;
    this.#count = count;
    clear.addEventListener("click", () => this.clear());
    this.clear();
  }

  #list;
  #count;
  #methods = new Map();
  #began = performance.now();
  #total = 0;

  /** Add a message that `from` ("host" or "view") sent. */
  add(from, message) {
    this.#total += 1;
    if (this.#total === 1) this.#list.replaceChildren();
    const stays = this.#list.scrollTop + this.#list.clientHeight < this.#list.scrollHeight - 8;
    this.#list.append(this.#row(from, message));
    if (this.#list.childElementCount > MOST) this.#list.firstElementChild.remove();
    if (!stays) this.#list.scrollTop = this.#list.scrollHeight;
    this.#count.textContent = String(this.#total);
  }

  clear() {
    this.#total = 0;
    this.#methods.clear();
    this.#began = performance.now();
    this.#count.textContent = "";
    this.#list.replaceChildren(
      el("li", { class: "nothing" }, "Nothing has been said between host and view yet."),
    );
  }

  #row(from, message) {
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(2);
    const details = el(
      "details",
      {},
      el(
        "summary",
        {},
        el("span", { class: `direction direction-${from}` }, icon(from === "view" ? "up" : "down"), from),
        el("span", { class: "method" }, this.#describe(from, message)),
        el("time", {}, `${seconds} s`),
      ),
    );
    details.addEventListener("toggle", () => details.append(jsonBlock(message, "Message")), { once: true });
    return el("li", { class: message.error ? "failed" : null }, details);
  }

  #describe(from, { id, method, error }) {
    if (method !== undefined) {
      if (id !== undefined) this.#methods.set(`${from} ${id}`, method);
      return String(method);
    }
    const asked = this.#methods.get(`${from === "host" ? "view" : "host"} ${id}`) ?? `request ${id}`;
    return `${error ? "error" : "result"} of ${asked}`;
  }
}
