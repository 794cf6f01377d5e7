/** @typedef {Node | string | number | null | undefined | false} Child */

let serial = 0;

/** @returns {string} an id that no tool can name */
export function newId() {
  return `g${++serial}`;
}

/**
 * Makes an element. Text goes in as text: there is no way to hand it markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any> | null} [attributes] `on…` with a function adds a listener, `class` and
 *   `data-…` are attributes, booleans switch an attribute, undefined and false leave it out
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) setAttribute(node, name, value);
  node.append(...asNodes(children));
  return node;
}

/** @param {HTMLElement} node @param {string} name @param {unknown} value */
function setAttribute(node, name, value) {
  if (name.startsWith("on")) {
    if (typeof value === "function") node.addEventListener(name.slice(2), /** @type {any} */ (value));
  } else if (value !== undefined && value !== null && value !== false) {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function asNodes(children) {
  return children.flat().filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : String(one)));
}

/**
 * A button that does not submit.
 * @param {string} text @param {() => void} onclick @param {Record<string, any>} [attributes]
 */
export function button(text, onclick, attributes) {
  return el("button", { type: "button", ...attributes, onclick }, text);
}

/**
 * Shows or hides. @param {HTMLElement} node @param {boolean} visible
 */
export function show(node, visible) {
  node.hidden = !visible;
}
