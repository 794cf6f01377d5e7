import { isPlain, list, parseJson, plain, same, string } from "../plain.js";
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
  /** @type {Part[]} */
  const parts = structured === undefined ? [] : [{ kind: "data", value: structured }];
  for (const item of list(plain(result).content)) {
    const part = partOf(item);
    if (!isRepeated(part, structured, result)) parts.push(part);
  }
  return parts;
}

/** The structured content when it says anything; `{result: …}` alone is unwrapped. @param {any} result */
export function structuredOf(result) {
  const content = plain(result).structuredContent;
  if (content === undefined || content === null || (isPlain(content) && !Object.keys(content).length)) return undefined;
  const keys = isPlain(content) ? Object.keys(content) : [];
  return keys.length === 1 && keys[0] === "result" ? fromText(content.result) : content;
}

/** A text that holds a JSON object or list becomes that value. @param {any} value */
function fromText(value) {
  const parsed = typeof value === "string" ? jsonIn(value) : undefined;
  return parsed === undefined ? value : parsed;
}

/** @param {any} item @returns {Part} */
function partOf(item) {
  const { type } = plain(item);
  if (type === "text") return textPart(string(item.text));
  if (type === "image" || type === "audio") return { kind: type, value: item };
  if (type === "resource_link") return { kind: "link", value: item };
  if (type === "resource" && isPlain(item.resource)) return { kind: "resource", value: item.resource };
  return { kind: "unknown", value: item };
}

/** @param {string} text @returns {Part} */
function textPart(text) {
  const value = jsonIn(text);
  return value === undefined ? { kind: "text", text } : { kind: "data", value, text };
}

/**
 * @param {string} text
 * @returns {any} the JSON object or list that a text is, also inside one code fence; else undefined
 */
export function jsonIn(text) {
  const body = text.trim().replace(/^```(?:json)?\s*\n([\s\S]*)\n```$/, "$1");
  if (!/^[[{]/.test(body)) return undefined;
  const value = parseJson(body);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Whether a text item only repeats the structured content. @param {Part} part @param {any} structured @param {any} result */
function isRepeated(part, structured, result) {
  if (structured === undefined) return false;
  if (part.kind === "text") return part.text?.trim() === String(structured).trim();
  return part.kind === "data" && (same(part.value, structured) || same(part.value, result.structuredContent));
}

/** Whether a result says nothing at all. @param {any} result */
export function isEmpty(result) {
  return !isPlain(result) || (structuredOf(result) === undefined && !list(result.content).length);
}

/** The words of an error result. @param {any} result @returns {string} */
export function errorText(result) {
  const texts = list(plain(result).content).map((item) => string(plain(item).text)).filter(Boolean);
  return texts.join("\n") || "The tool reported an error without a message.";
}

/** Whether a text that came as a success says that it failed. @param {string} text */
export function soundsFailed(text) {
  return /^\W{0,4}(error|failed|failure|exception|traceback|unauthorized|forbidden|invalid|unable to|could not|cannot)\b/i.test(text.slice(0, 200));
}

/** @typedef {{ rows: any[], columns: string[] }} Rows */

const MAX_COLUMNS = 40;

/**
 * A list of objects as rows and columns, in the order of first appearance.
 * @param {any} value
 * @returns {Rows | undefined} undefined when it is no table
 */
export function rowsOf(value) {
  if (!Array.isArray(value) || !value.length || !value.every(isPlain)) return undefined;
  /** @type {Set<string>} */
  const columns = new Set();
  for (const row of value.slice(0, 500)) for (const key of Object.keys(row)) columns.add(key);
  return columns.size && columns.size <= MAX_COLUMNS ? { rows: value, columns: [...columns] } : undefined;
}

/**
 * Columns and rows that stand beside each other: `{columns: [...], rows: [[...]]}`.
 * @param {Plain} value
 * @returns {Rows | undefined}
 */
export function matrixOf(value) {
  const names = list(value.columns ?? value.headers ?? value.fields).map((one) => string(isPlain(one) ? one.name : one));
  const rows = list(value.rows ?? value.data ?? value.values);
  if (!names.length || names.includes("") || new Set(names).size < names.length || !rows.length || !rows.every(Array.isArray)) return undefined;
  return { columns: names, rows: rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]))) };
}
