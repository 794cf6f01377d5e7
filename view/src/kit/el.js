import { DRAWN, setAttribute } from "./attribute.js";
import { entriesOf, isArray, isPlain, isThere } from "./plain.js";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Attributes
 */

let serial = 0;

/** @returns {string} an id that no tool can name */
export function newId() {
  return `g${++serial}`;
}

/**
 * Makes an element. Text goes in as text: there is no way to hand it markup.
 * @template {string} T
 * @param {T} tag `"p"`, or with classes `"p.hint.small"`
 * @param {Attributes | Child | Child[]} [first] attributes, which may also be left out: `on…` with a
 *   function adds a listener, true sets an attribute without value, undefined, null and false leave it out
 * @param {...(Child | Child[])} children
 * @returns {T extends `${infer Tag extends keyof HTMLElementTagNameMap}.${string}` ? HTMLElementTagNameMap[Tag]
 *   : T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement}
 */
export function el(tag, first, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = /** @type {HTMLElement} */ (
    DRAWN.test(name)
      ? document.createElementNS("http://www.w3.org/2000/svg", name)
      : document.createElement(name)
  );
  if (classes.length) node.setAttribute("class", classes.join(" "));
  if (!isPlain(first)) put(node, first);
  else for (const [key, value] of entriesOf(first)) setAttribute(node, key, value);
  put(node, children);
  return /** @type {any} */ (node);
}

/** One by one: many at once would exceed the stack. @param {Pick<Element, "append">} node @param {Child | (Child | Child[])[]} child */
export function put(node, child) {
  if (isArray(child)) for (const one of child) put(node, one);
  else if (isThere(child)) node.append(/** @type {Node | string} */ (child));
}

/**
 * A button that does not submit.
 * @param {string} text @param {() => void} onclick @param {Attributes} [attributes]
 */
export function button(text, onclick, attributes) {
  return el("button", { type: "button", ...attributes, onclick }, text);
}

/** A small button beside something that matters more. @param {string} text @param {() => void} onclick @param {Attributes} [attributes] */
export function quietButton(text, onclick, attributes) {
  return button(text, onclick, { class: "quiet", ...attributes });
}

/** Elements beneath each other. @param {Attributes | Child | Child[]} first @param {...(Child | Child[])} children */
export function stack(first, ...children) {
  return el("div.stack", first, ...children);
}

/** Elements in a line. @param {Attributes | Child | Child[]} first @param {...(Child | Child[])} children */
export function inLine(first, ...children) {
  return el("div.bar", first, ...children);
}

/** Words where there is nothing else to show. @param {string} text */
export function note(text) {
  return el("p.none", text);
}

/**
 * A line for words that are looked for.
 * @param {string} placeholder @param {(words: string) => void} search @param {Record<string, any>} [attributes]
 */
export function searchBox(placeholder, search, attributes) {
  const box = el("input", {
    type: "search",
    placeholder,
    "aria-label": placeholder,
    autocomplete: "off",
    oninput: () => search(box.value.trim()),
    ...attributes,
  });
  return box;
}

/**
 * Something folded, made when it is first opened.
 * @param {Child | Child[]} summary @param {() => Child[]} make @param {boolean} [open]
 */
export function fold(summary, make, open) {
  const fill = () => {
    if (details.childElementCount < 2) put(details, make());
  };
  const details = el("details", { open, ontoggle: fill }, el("summary", summary));
  if (open) fill();
  return details;
}

/** Of a long text so much is shown at first, and so much when it is opened. */
const [BEGINNING, MAX_TEXT] = [110, 16_000];

/**
 * A paragraph of text; a long one shows how it begins, and a button for the rest.
 * @param {string} text newlines are kept
 * @returns {HTMLElement[]} the paragraph, with an id, and the button when there is one
 */
export function clampedText(text) {
  const beginning = beginningOf(text);
  const paragraph = el("p.lead", { id: newId() }, beginning);
  if (beginning.length === text.length) return [paragraph];
  const draw = (/** @type {boolean} */ open) => {
    paragraph.textContent = open
      ? text.slice(0, MAX_TEXT)
      : beginning + (/[.:!?]$/.test(beginning) ? "" : "\u2026");
    more.textContent = open ? "Less" : "More";
    more.ariaExpanded = `${open}`;
  };
  const more = quietButton("", () => draw(more.ariaExpanded !== "true"), { class: "quiet more" });
  draw(false);
  return [paragraph, more];
}

/** The first paragraph, or what of it fits. @param {string} text */
function beginningOf(text) {
  const first = /^[^]*?(?=\s*\n\s*\n|\s*$)/.exec(text.slice(0, BEGINNING * 2))?.[0] ?? "";
  if (first.length <= BEGINNING) return first;
  const cut = first.slice(0, BEGINNING);
  return cut.slice(0, cut.search(/\s+\S*$/)) || cut;
}
