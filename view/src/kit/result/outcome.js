import { isArray, isPlain, isString, keysOf, list, parseJson, plain } from "../plain.js";
import { resolve } from "../schema/resolve.js";
import { HAS_WRITTEN_VIEW } from "../written/has-view.js";
import { isWrapped, jsonIn } from "./data.js";

/**
 * @typedef {object} Outcome a result as views read it
 * @property {any} data what the tool said, in the order in which results are read
 * @property {{ isError: boolean, content: any[], args: object }} meta what surrounds it
 */

/**
 * Reads a result: its structured content when that is not empty, else the JSON in its texts, else
 * its texts, else its items as they are. What comes out is the view's own, to be changed at will.
 * @param {any} result
 * @param {object} args of the call
 * @param {unknown} [schema] the tool's output schema
 * @returns {Outcome}
 */
export function outcomeOf(result, args, schema) {
  const { isError, content } = plain(result);
  return structuredClone({
    data: dataOf(result, schema),
    meta: { isError: !!isError, content: list(content), args: plain(args) },
  });
}

/** What a tool said, in the order in which results are read. @param {any} result @param {unknown} [schema] the tool's output schema @returns {any} */
export function dataOf(result, schema) {
  const { structuredContent, content } = plain(result);
  const isThere =
    (structuredContent ?? undefined) !== undefined &&
    !(isPlain(structuredContent) && !keysOf(structuredContent).length);
  return isThere ? structuredContent : said(list(content), schema);
}

/** What the items of a result say by themselves. @param {any[]} content @param {unknown} schema */
function said(content, schema) {
  const texts = content.map((item) => plain(item).text).filter(isString);
  if (!texts.length) return content;
  const found = texts.map(jsonIn).filter((value) => value !== undefined);
  const { properties } = plain(schema);
  // The server has put what is no object under `result`, as structured content must be one; the items are without that.
  if (HAS_WRITTEN_VIEW && isWrapped(properties) && !found.some(isWrapped))
    return { result: unwrapped(texts, properties.result, schema) };
  return found.length > 1 ? found : (found[0] ?? texts.join("\n\n"));
}

/** A value that came as texts; a list mostly has one for each entry. @param {string[]} texts @param {unknown} declared @param {unknown} root */
function unwrapped(texts, declared, root) {
  const { type, items } = resolve(declared, root).schema;
  if (type !== "array") return read(texts.join("\n\n"), type);
  const whole = texts.length === 1 && jsonIn(texts[0]);
  return isArray(whole) ? whole : texts.map((text) => read(text, resolve(items, root).schema.type));
}

/** @param {string} text @param {unknown} type */
function read(text, type) {
  return type === "string" ? text : (parseJson(text) ?? text);
}
