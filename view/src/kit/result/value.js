import { el } from "../el.js";
import { nameWords, plural } from "../format.js";
import { isPlain } from "../plain.js";
import { matrixOf, rowsOf } from "./data.js";
import { keyValue } from "./key-value.js";
import { table } from "./table.js";
import { textBlock } from "./text.js";
import { jsonTree } from "./tree.js";

/**
 * @typedef {object} Show what renderers need from the page
 * @property {number} limit characters shown before a cut
 * @property {(url: string) => void} openLink asks the host
 */

const MAX_LINES = 60;
const MAX_SECTIONS = 12;

/**
 * Shows a JSON value by what it is: table, key/value card, tree or text.
 * @param {any} value
 * @param {Show} show
 * @param {string} [title]
 * @param {number} [depth] sections inside sections, 0 at the top
 * @returns {HTMLElement}
 */
export function renderValue(value, show, title = "Result", depth = 0) {
  if (typeof value === "string") return textBlock(value, show.limit);
  if (value === null || typeof value !== "object") return el("p", { class: "scalar" }, String(value));
  if (Array.isArray(value)) return renderList(value, show, title);
  return renderObject(value, show, title, depth);
}

/** @param {any[]} value @param {Show} show @param {string} title */
function renderList(value, show, title) {
  const rows = rowsOf(value);
  if (rows) return table(rows, show, title);
  if (!value.length) return el("p", { class: "none" }, "Empty list");
  const simple = value.every((one) => typeof one !== "object" || one === null);
  return simple && value.length <= MAX_LINES ? el("ul", { class: "plain-list" }, value.map((one) => el("li", { dir: "auto" }, String(one)))) : jsonTree(value);
}

/** @param {import("../plain.js").Plain} value @param {Show} show @param {string} title @param {number} depth */
function renderObject(value, show, title, depth) {
  const matrix = matrixOf(value);
  if (matrix) return table(matrix, show, title);
  const entries = Object.entries(value);
  if (!entries.length) return el("p", { class: "none" }, "Empty object");
  const sections = depth < 2 ? entries.filter(([, one]) => isSection(one, depth)) : [];
  const lines = entries.filter((entry) => !sections.includes(entry));
  if (lines.length > MAX_LINES || sections.length > MAX_SECTIONS) return jsonTree(value);
  return el("div", { class: "stack" }, lines.length ? keyValue(lines, show) : null,
    sections.map(([name, one]) => section(name, one, show, depth)));
}

/** Whether a member of an object gets a part of the page to itself. @param {any} value @param {number} depth */
function isSection(value, depth) {
  return !!rowsOf(value) || (isPlain(value) && Object.keys(value).length > 0) || (typeof value === "string" && depth === 0 && value.length > 300);
}

/** @param {string} name @param {any} value @param {Show} show @param {number} depth */
function section(name, value, show, depth) {
  const count = Array.isArray(value) ? plural(value.length, "entry", "entries") : "";
  const words = nameWords(name) || name;
  return el("section", null, el("h3", { dir: "auto", title: count }, words), renderValue(value, show, words, depth + 1));
}
