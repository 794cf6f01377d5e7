// What went wrong inside the view: its errors, its console, what the policy blocked.

import { el } from "./dom.js";

const MOST = 200;
const NAMES = {
  policy: "Policy",
  error: "Error",
  "console.error": "Console",
  "console.warn": "Warning",
  host: "Host",
};

export class IssueList {
  constructor({ list, count }) {
    this.#list = list;
    this.#count = count;
    this.clear();
  }

  #list;
  #count;
  #total = 0;

  /** Add an issue; false when there are so many that it is only counted. */
  add({ kind, text, where }) {
    this.#total += 1;
    this.#count.textContent = String(this.#total);
    if (this.#total === 1) this.#list.replaceChildren();
    if (this.#total > MOST) return false;
    this.#list.append(row(kind, text, where));
    return true;
  }

  clear() {
    this.#total = 0;
    this.#count.textContent = "";
    this.#list.replaceChildren(
      el("li", { class: "nothing" }, "No errors and no blocked requests in this view."),
    );
  }
}

function row(kind, text, where) {
  return el(
    "li",
    {},
    el(
      "span",
      { class: `badge badge-${kind === "console.warn" ? "plain" : "danger"}` },
      NAMES[kind] ?? "Note",
    ),
    el("span", { class: "issue-text" }, String(text)),
    where ? el("span", { class: "issue-where" }, String(where)) : null,
  );
}
