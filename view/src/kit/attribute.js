import { isPlain, isThere } from "./plain.js";

/** Elements of drawings, which only are what they are in a namespace of their own. */
export const DRAWN =
  /^(svg|g|path|circle|ellipse|line|poly(line|gon)|rect|text|title|tspan|defs|(linear|radial)Gradient|stop)$/;

/** @param {HTMLElement} node @param {string} name @param {any} value */
export function setAttribute(node, name, value) {
  if (typeof value === "function") node.addEventListener(name.slice(2).toLowerCase(), value);
  else if (name === "textContent") node.append(`${value ?? ""}`);
  else if (name === "style" && isPlain(value)) Object.assign(node.style, value);
  else if (isThere(value) && !name.startsWith("on"))
    node.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
}
