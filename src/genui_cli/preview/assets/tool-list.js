// The tools on the left: found by typing, walked with the arrows, chosen as links.

import { linkTo } from "./address.js";
import { arrange, el } from "./dom.js";
import { badgesOf, belongsToTheWrapper, titleOf } from "./tools.js";

export class ToolList {
  constructor({ search, list, count }) {
    this.#search = search;
    this.#list = list;
    this.#count = count;
    search.addEventListener("input", () => this.#draw());
    search.addEventListener("keydown", (event) => this.#fromSearch(event));
    list.addEventListener("keydown", (event) => this.#walk(event));
  }

  #search;
  #list;
  #count;
  /** Each tool with its definition as a text and its row, which stays as long as the definition does. */
  #items = [];
  #chosen = null;
  /** Whether the wrapper's own tools are listed. */
  #showsOwn = false;

  show(tools, chosen) {
    const before = new Map(this.#items.map((one) => [one.definition, one]));
    this.#items = tools.map((tool) => {
      const definition = JSON.stringify(tool);
      return (
        before.get(definition) ?? {
          tool,
          definition,
          row: belongsToTheWrapper(tool) ? ownItem(tool) : item(tool),
        }
      );
    });
    this.#chosen = chosen;
    this.#draw();
  }

  choose(name) {
    this.#chosen = name;
    for (const link of this.#links()) {
      if (link.dataset.tool === name) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  #draw() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#items.filter(({ tool }) => matches(tool, words));
    const ours = found.filter(({ tool }) => belongsToTheWrapper(tool));
    const theirs = found.filter(({ tool }) => !belongsToTheWrapper(tool));
    const rows = (items) => items.map(({ row }) => row);
    const isOpen = this.#showsOwn || words.length > 0 || ours.some(({ tool }) => tool.name === this.#chosen);
    const own = ours.length ? [this.#toggle(ours.length, isOpen), ...(isOpen ? rows(ours) : [])] : [];
    const nothing = found.length ? [] : [el("li", { class: "nothing" }, this.#nothing())];
    arrange(this.#list, [...rows(theirs), ...own, ...nothing]);
    const all = this.#items.filter(({ tool }) => !belongsToTheWrapper(tool)).length;
    this.#count.textContent = words.length ? `${theirs.length} of ${all}` : String(all);
    this.choose(this.#chosen);
  }

  #toggle(count, isOpen) {
    const onclick = () => {
      this.#showsOwn = !isOpen;
      this.#draw();
      this.#list.querySelector(".group button").focus();
    };
    return el(
      "li",
      { class: "group" },
      el(
        "button",
        { class: "link", type: "button", "aria-expanded": String(isOpen), onclick },
        `Wrapper tools (${count})`,
      ),
    );
  }

  #nothing() {
    if (this.#items.length === 0) return "This server has no tools.";
    return `No tool matches “${this.#search.value.trim()}”.`;
  }

  #links() {
    return [...this.#list.querySelectorAll("a")];
  }

  #fromSearch(event) {
    const [first] = this.#links();
    if (event.key === "ArrowDown") first?.focus();
    else if (event.key === "Enter") first?.click();
    else if (event.key === "Escape") this.#leave();
    else return;
    event.preventDefault();
  }

  /** Clear the search, and go back to the chosen tool. */
  #leave() {
    this.#search.value = "";
    this.#draw();
    const links = this.#links();
    (links.find((link) => link.dataset.tool === this.#chosen) ?? links[0] ?? this.#search).focus();
    if (document.activeElement === this.#search) this.#search.blur();
  }

  #walk(event) {
    const links = this.#links();
    const here = links.indexOf(document.activeElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    (links[to] ?? (to < 0 ? this.#search : links[here])).focus();
  }

  /** Begin a search. */
  find() {
    this.#search.focus();
    this.#search.select();
  }
}

function matches(tool, words) {
  const text = `${tool.name} ${titleOf(tool) ?? ""} ${tool.description ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function saysTheSame(title, name) {
  const plain = (text) => text.toLowerCase().replace(/[\s_.-]+/g, " ");
  return plain(title) === plain(name);
}

function link(tool, ...more) {
  const name = el("span", { class: "tool-name" }, tool.name);
  return el("a", { href: linkTo(tool.name), "data-tool": tool.name, title: tool.description }, name, ...more);
}

/** The wrapper's tools are the same on every server: their names are enough. */
function ownItem(tool) {
  return el("li", { class: "own" }, link(tool));
}

function item(tool) {
  const title = titleOf(tool);
  return el(
    "li",
    {},
    link(
      tool,
      title && !saysTheSame(title, tool.name) ? el("span", { class: "tool-title" }, title) : null,
      el("span", { class: "badges" }, badgesOf(tool).map(badge)),
    ),
  );
}

export function badge({ text, look, hint }) {
  return el("span", { class: `badge badge-${look}`, title: hint }, text);
}
