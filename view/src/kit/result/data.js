import { attempt, isBranch, isPlain, keysOf, list, parseJson, plain, same, string } from "../plain.js";
import { HAS_WRITTEN_VIEW } from "../written/has-view.js";
import { soundsFailed, tellsFailure, textsIn } from "./recognise/failure.js";
import { jsonIn } from "./recognise/json.js";
import { readText, withoutColours } from "./recognise/read.js";
import { alreadySaid, covers, retells, picturesIn, repeatsItems, unsaidOf } from "./recognise/repeats.js";
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
 * @property {any} [link] the content item that links to an embedded resource
 * @property {boolean} [isSaid] whether another part shows what an embedded resource holds, or says what a text does
 * @property {boolean} [isCaption] whether a text is a line beneath a picture
 * @property {boolean} [isAside] whether the server means the item for the model alone
 * @property {number} [priority] of the item, from 0 to 1, as the server says
 */

/**
 * What a tool result has to show, each thing once: structured content first, then every content item
 * that says something else. An error's words come before its data.
 * @param {any} result
 * @param {boolean} [isWritten] whether a written view draws the data: what that holds of pictures and
 *   resources then counts as not shown
 * @returns {Part[]}
 */
export function partsOf(result, isWritten = false) {
  const items = list(plain(result).content);
  const parts = items.map((item) => ({ ...partOf(item), ...meantFor(item) }));
  const structured = structuredOf(result);
  const isSaid = structured === undefined || attempt(() => repeatsItems(structured, items));
  return mediaOnce(
    isSaid
      ? gathered(parts)
      : plain(result).isError
        ? errorParts(parts, structured)
        : withData(parts, structured, result.structuredContent),
    HAS_WRITTEN_VIEW && isWritten,
  );
}

/** @param {Part[]} parts @param {any} structured @param {any} content the same as it came @returns {Part[]} */
function withData(parts, structured, content) {
  const fuller = parts.find(({ value, text }) => text !== undefined && isFuller(value, structured, text));
  const said = alreadySaid(content);
  const others = parts
    .filter((part) => part !== fuller)
    .map((part) => unsaid(part, said))
    .filter((part) => part !== undefined);
  const marked = others.map((part) =>
    part.kind === "text" && attempt(() => retells(content, string(part.text)))
      ? { ...part, isSaid: true }
      : part,
  );
  return [{ kind: "data", value: fuller?.value ?? structured }, ...gathered(marked)];
}

/** Whether JSON in a text contains all of the structured content and more, or has digits that a number cannot keep. @param {any} value @param {any} structured @param {string} text */
function isFuller(value, structured, text) {
  return (
    isBranch(value) &&
    attempt(
      () =>
        covers(value, structured) &&
        (!covers(structured, value) || (/\d{16}/.test(text) && !same(value, structured))),
    )
  );
}

/**
 * An error's words, and what its data says beyond them. Data that contains all of a text in JSON stands in its place.
 * @param {Part[]} parts @param {any} structured @returns {Part[]}
 */
function errorParts(parts, structured) {
  const json = parts.find(({ value, text }) => text !== undefined && isBranch(value));
  if (json && attempt(() => covers(json.value, structured))) return parts;
  if (json && attempt(() => covers(structured, json.value)))
    return parts.map((part) => (part === json ? { ...part, value: structured } : part));
  const rest = attempt(() => [
    unsaidOf(
      structured,
      parts.map(({ text }) => string(text)),
    ),
  ]) ?? [structured];
  return rest[0] === undefined ? parts : [...parts, { kind: "data", value: rest[0] }];
}

/** Each picture, sound and resource once: where data shows it, or where most is known of it. @param {Part[]} parts @param {boolean} isWritten @returns {Part[]} */
function mediaOnce(parts, isWritten) {
  const shown = new Set(
    isWritten
      ? []
      : parts.flatMap(({ kind, value, text = "" }) =>
          kind === "data" ? (attempt(() => picturesIn(value)) ?? []) : kind === "text" ? embedded(text) : [],
        ),
  );
  const blobs = new Set(parts.map(({ kind, value }) => kind === "resource" && value.blob).filter(Boolean));
  const texts = new Set(parts.map(({ kind, text = "" }) => kind === "text" && text.trim()).filter(Boolean));
  const links = new Map(parts.filter(({ kind }) => kind === "link").map(({ value }) => [value.uri, value]));
  const uris = new Set(parts.map(({ kind, value }) => kind === "resource" && value.uri).filter(Boolean));
  return parts.flatMap((part) => {
    const { kind, value } = part;
    if (kind === "image" || kind === "audio") {
      if (value.data && (shown.has(value.data) || blobs.has(value.data))) return [];
      shown.add(value.data);
      return [part];
    }
    if (kind === "link") {
      if (value.uri && uris.has(value.uri)) return [];
      uris.add(value.uri);
      return [part];
    }
    return kind === "resource"
      ? [
          {
            ...part,
            link: links.get(value.uri),
            isSaid:
              !isWritten && (part.isSaid || shown.has(value.blob) || texts.has(string(value.text).trim())),
          },
        ]
      : [part];
  });
}

/** The base64 of pictures inside formatted text. @param {string} text @returns {string[]} */
function embedded(text) {
  return [...text.matchAll(/!\[[^\]\n]{0,200}\]\(data:image\/[\w.+-]+;base64,([\w+/]+={0,2})\)/g)].map(
    ([, data]) => data,
  );
}

/** Objects in items of their own that begin alike are the entries of one list. @param {Part[]} parts @returns {Part[]} */
function gathered(parts) {
  const values = parts.map(({ value }) => value);
  const [name] = keysOf(plain(values[0]));
  const isList =
    parts.length > 1 &&
    name &&
    parts.every(({ kind, value }) => kind === "data" && isPlain(value) && keysOf(value)[0] === name);
  return isList ? [{ kind: "data", value: values }] : parts;
}

/** A part without what is said already. @param {Part} part @param {(text: string | undefined, value?: any) => boolean} said @returns {Part | undefined} */
function unsaid(part, said) {
  if (part.text === undefined)
    return part.kind === "resource" && said(part.value.text) ? { ...part, isSaid: true } : part;
  const readings = part.readings?.filter(({ text, value }) => !said(text, value?.rows ?? value));
  return said(part.text) || said(part.text, part.value) || readings?.length === 0
    ? undefined
    : { ...part, readings };
}

/** The structured content when it says anything; `{result: …}` alone is unwrapped. @param {any} result */
export function structuredOf(result) {
  const content = plain(result).structuredContent ?? undefined;
  if (!isPlain(content)) return content;
  if (!keysOf(content).length) return undefined;
  return isWrapped(content) ? (jsonIn(content.result) ?? content.result) : content;
}

/** Whether an object only exists because structured content must be one. @param {any} content */
export function isWrapped(content) {
  return keysOf(plain(content)).join() === "result";
}

/** What a server says of an item besides what is in it. @param {any} item @returns {Partial<Part>} */
function meantFor(item) {
  const { audience, priority } = plain(plain(item).annotations);
  return { priority, isAside: list(audience).join() === "assistant" };
}

/** @param {any} item @returns {Part} */
function partOf(item) {
  const { type, text, resource } = plain(item);
  if (type === "text") return textPart(string(text));
  if (type === "image" || type === "audio") return { kind: type, value: item };
  if (type === "resource_link") return { kind: "link", value: item };
  return isPlain(resource) && type === "resource"
    ? { kind: type, value: resource }
    : { kind: "unknown", value: item };
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

/** The longest message that is nothing else. */
const MESSAGE = 400;

/** The message of a failure that is all that a result says, which may have come as a success; "" where it says more or none. @param {any} result */
export function onlyFailure(result) {
  const [{ kind, text, value } = { kind: "", text: "" }, ...others] = partsOf(result);
  if (others.length || !/^(text|data)$/.test(kind)) return "";
  const [words, more] = value ? textsIn(value) : [text];
  return words && !more && words.length <= MESSAGE && soundsFailed(words) ? words : "";
}

/** Whether a result that came as a success says that it failed. @param {any} result */
export function saysFailed(result) {
  return partsOf(result).some(({ kind, text = "", value }) =>
    kind === "data" ? tellsFailure(value) : kind === "text" && soundsFailed(text),
  );
}
