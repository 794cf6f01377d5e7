import { el } from "../el.js";
import { shorten } from "../format.js";
import { isPlain } from "../plain.js";
import { jsonTree } from "./tree.js";
/** @import { Show } from "./value.js" */

/**
 * One value in a table cell or a key/value list: short things as they are, the rest folded.
 * @param {any} value
 * @param {Show} show
 * @returns {Node}
 */
export function cell(value, show) {
  if (value === null || value === undefined) return el("span", { class: "none" }, "\u2013");
  if (typeof value === "boolean") return el("span", { class: "badge" }, String(value));
  if (typeof value === "number") return el("span", { class: "number" }, String(value));
  if (typeof value === "string") return textCell(value, show);
  const flat = Array.isArray(value) && value.length <= 12 && value.every((one) => one === null || typeof one !== "object");
  if (flat) return el("span", { dir: "auto" }, value.map(String).join(", ") || "(none)");
  return folded(value);
}

/** @param {string} text @param {Show} show */
function textCell(text, show) {
  if (/^https?:\/\/[^\s]+$/i.test(text) && text.length < 2000) return linkButton(text, text, show);
  if (text.length <= 300) return el("span", { dir: "auto", class: "string" }, text);
  const rest = el("pre", { class: "text", dir: "auto" });
  const details = el("details", null, el("summary", { dir: "auto" }, shorten(text, 160)), rest);
  details.addEventListener("toggle", () => { rest.textContent ||= text.slice(0, show.limit); });
  return details;
}

/** A link that the host opens. @param {string} url @param {string} words @param {Show} show */
export function linkButton(url, words, show) {
  return el("button", { type: "button", class: "link", role: "link", dir: "auto", title: url, onclick: () => show.openLink(url) }, words);
}

/** @param {any} value */
function folded(value) {
  const count = Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`;
  const body = el("div");
  const words = isPlain(value) ? Object.keys(value).slice(0, 3).join(", ") : "";
  const details = el("details", null, el("summary", null, `${count} ${shorten(words, 40)}`), body);
  details.addEventListener("toggle", () => { if (!body.firstChild) body.append(jsonTree(value)); });
  return details;
}
