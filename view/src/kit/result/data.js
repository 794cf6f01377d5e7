import { fromEntries, isArray, isBranch, isPlain, keysOf, list, parseJson, plain, same, string } from "../plain.js";
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {object} Part one thing to show, in order
 * @property {"data" | "text" | "image" | "audio" | "link" | "resource" | "unknown"} kind
 * @property {any} [value] data: the JSON value; others: the content item
 * @property {string} [text]
 */

/**
 * What a tool result has to show: structured content first, then every content item
 * that says something else.
 * @param {any} result
 * @returns {Part[]}
 */
export function partsOf(result) {
  const structured = structuredOf(result);
  const parts = list(plain(result).content).map(partOf);
  if (structured === undefined) return parts;
  const repeats = (/** @type {Part} */ { kind, value, text = "" }) => kind === "text" ? text.trim() === String(structured).trim()
    : kind === "data" && (same(value, structured) || same(value, result.structuredContent));
  return [{ kind: "data", value: structured }, ...parts.filter((part) => !repeats(part))];
}

/** The structured content when it says anything; `{result: …}` alone is unwrapped. @param {any} result */
export function structuredOf(result) {
  const content = plain(result).structuredContent ?? undefined;
  if (!isPlain(content)) return content;
  if (!keysOf(content).length) return undefined;
  return isWrapped(content) ? jsonIn(content.result) ?? content.result : content;
}

/** Whether an object only exists because structured content must be one. @param {any} content */
export function isWrapped(content) {
  return keysOf(plain(content)).join() === "result";
}

/** @param {any} item @returns {Part} */
function partOf(item) {
  const { type, text, resource } = plain(item);
  if (type === "text") return textPart(string(text));
  if (type === "image" || type === "audio") return { kind: type, value: item };
  if (type === "resource_link") return { kind: "link", value: item };
  return isPlain(resource) && type === "resource" ? { kind: type, value: resource } : { kind: "unknown", value: item };
}

/** @param {string} text @returns {Part} */
function textPart(text) {
  const value = jsonIn(text);
  return value ? { kind: "data", value, text } : { kind: "text", text };
}

/**
 * @param {unknown} text
 * @returns {any} the JSON object or list that a text is, also inside one code fence; else undefined
 */
export function jsonIn(text) {
  const value = parseJson(string(text).trim().replace(/^```(?:json)?\s*\n([^]*)\n```$/, "$1"));
  return isBranch(value) ? value : undefined;
}

/** Whether a result says nothing at all. @param {any} result */
export function isEmpty(result) {
  return structuredOf(result) === undefined && !list(plain(result).content).length;
}

/** The words of an error result. @param {any} result @returns {string} */
export function errorText(result) {
  const texts = list(plain(result).content).map((item) => string(plain(item).text));
  return texts.filter(Boolean).join("\n") || "The tool reported an error without a message.";
}

/** Whether a text that came as a success says that it failed. @param {string} text */
export function soundsFailed(text) {
  return /^\W{0,4}(error|failed|failure|exception|traceback|unauthorized|forbidden|invalid|unable to|could not|cannot)\b/i.test(text.slice(0, 200));
}

/** @typedef {{ rows: any[], columns: string[] }} Rows */

/** With more columns than this, rows that have little in common are no table. */
const MANY_COLUMNS = 40;
const MAX_COLUMNS = 500;
const MIN_FILLED = 0.1;

/**
 * A list of objects as rows and columns, in the order of first appearance; they need not all have
 * the same members.
 * @param {any} value
 * @returns {Rows | undefined} undefined when it is no table
 */
export function rowsOf(value) {
  if (!list(value).length || !value.every(isPlain)) return undefined;
  const names = value.flatMap(keysOf);
  const columns = [...new Set(names)];
  const together = columns.length <= MANY_COLUMNS || names.length >= columns.length * value.length * MIN_FILLED;
  return columns.length && columns.length <= MAX_COLUMNS && together ? { rows: value, columns } : undefined;
}

/**
 * Columns and rows that stand beside each other: `{columns: [...], rows: [[...]]}`.
 * @param {Plain} value
 * @returns {Rows | undefined}
 */
export function matrixOf(value) {
  const columns = list(value.columns ?? value.headers ?? value.fields).map((one) => string(isPlain(one) ? one.name : one));
  const rows = list(value.rows ?? value.data ?? value.values);
  if (!columns.length || columns.includes("") || new Set(columns).size < columns.length || !rows.length || !rows.every(isArray)) return undefined;
  return { columns, rows: rows.map((row) => fromEntries(columns.map((name, i) => [name, row[i]]))) };
}
