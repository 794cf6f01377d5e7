import { isThere } from "../../kit/plain.js";

/** The elements of the kit's own drawings. */
export const DRAWN = /^(svg|g|path|circle|rect|text|title)$/;

/** @param {HTMLElement} node @param {string} name @param {any} value */
export function setAttribute(node, name, value) {
  if (typeof value === "function") node.addEventListener(name.slice(2), value);
  else if (isThere(value)) node.setAttribute(name, value === true ? "" : value);
}
