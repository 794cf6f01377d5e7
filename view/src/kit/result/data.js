import { isPlain, keysOf, list, parseJson, plain, same, string } from "../plain.js";
import { soundsFailed, tellsFailure } from "./recognise/failure.js";
import { jsonIn } from "./recognise/json.js";
import { readText, withoutColours } from "./recognise/read.js";
import { alreadySaid } from "./recognise/repeats.js";
/** @import { Reading } from "./recognise/read.js" */

export { jsonIn, soundsFailed };
export { rowsOf } from "./recognise/rows.js";
/** @typedef {import("./recognise/rows.js").Rows} Rows */

/**
 * @typedef {object} Part one thing to show, in order
 * @property {"data" | "text" | "image" | "audio" | "link" | "resource" | "unknown"} kind
 * @property {any} [value] data: the JSON value; others: the content item
 * @property {string} [text]
 * @property {Reading[]} [readings] what a text was read as, without what is shown already
 */

/**
 * What a tool result has to show: structured content first, then every content item that says
 * something else. An error's words come before its data.
 * @param {any} result
 * @returns {Part[]}
 */
export function partsOf(result) {
  const parts = list(plain(result).content).map(partOf);
  const structured = structuredOf(result);
  if (structured === undefined) return gathered(parts);
  const exact = parts.find(({ text }) => text && same(parseJson(text), structured));
  const data = /** @type {Part} */ ({ kind: "data", value: exact?.value ?? structured });
  if (plain(result).isError) return parts.some(({ value }) => same(value, structured)) ? parts : [...parts, data];
  const said = alreadySaid(result.structuredContent);
  return [data, ...gathered(parts.map((part) => unsaid(part, said)).filter((part) => part !== undefined))];
}

/** Objects in items of their own that begin alike are the entries of one list. @param {Part[]} parts @returns {Part[]} */
function gathered(parts) {
  const values = parts.map(({ value }) => value);
  const [name] = keysOf(plain(values[0]));
  const isList = parts.length > 1 && name && parts.every(({ kind, value }) => kind === "data" && isPlain(value) && keysOf(value)[0] === name);
  return isList ? [{ kind: "data", value: values }] : parts;
}

/** A part without what is said already. @param {Part} part @param {(text: string | undefined, value?: any) => boolean} said @returns {Part | undefined} */
function unsaid(part, said) {
  if (part.text === undefined) return part;
  const readings = part.readings?.filter(({ text, value }) => !said(text, value?.rows ?? value));
  return said(part.text) || said(part.text, part.value) || readings?.length === 0 ? undefined : { ...part, readings };
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

/** @param {string} source @returns {Part} */
function textPart(source) {
  const text = withoutColours(source);
  const value = jsonIn(text);
  const inner = string(parseJson(text));
  // A text that was written as JSON once more; a few words in quotes may be meant.
  if (jsonIn(inner) || inner.includes("\n")) return textPart(inner);
  return value ? { kind: "data", value, text } : { kind: "text", text, readings: readText(source) };
}

/** Whether a result says nothing at all. @param {any} result */
export function isEmpty(result) {
  return structuredOf(result) === undefined && !list(plain(result).content).length;
}

/** Whether a result that came as a success says that it failed. @param {any} result */
export function saysFailed(result) {
  return partsOf(result).some(({ kind, text = "", value }) => kind === "data" ? tellsFailure(value) : kind === "text" && soundsFailed(text));
}
