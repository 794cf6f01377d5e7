import { isString } from "../../plain.js";
import { isDiff } from "../diff.js";
import { alignedIn } from "./aligned.js";
import { commitsIn } from "./commits.js";
import { delimitedIn } from "./delimited.js";
import { drawnIn } from "./drawn.js";
import { fieldsIn } from "./fields.js";
import { htmlTablesIn } from "./html.js";
import { dataAmid, dataIn } from "./json.js";
import { looksFormatted, looksLaidOut } from "./layout.js";
import { pictureIn } from "./picture.js";
import { xmlIn } from "./xml.js";

/**
 * @typedef {object} Reading what a text, or a part of it, turned out to be
 * @property {"data" | "table" | "markdown" | "diff" | "image" | "code" | "text"} kind
 * @property {any} [value] data: JSON; table: rows and columns; image: a content item
 * @property {string} [text] of the other kinds
 * @property {string} [language] of code, where it is known
 * @property {object} [schema] of data: the words for its members
 *
 * @typedef {(string | Reading)[]} Found what the parts of a text are, in order; what is still text is read in turn
 * @typedef {(text: string) => Found | undefined} Finder
 */

/** Languages of a code fence that may hold data; what is written in any other is code. */
const DATA_FENCE = /^(json\w*|csv|tsv|te?xt|plain\w*|console|output|)$/i;

/** What stands above data: a line that ends in a colon, or that has a blank one behind it. */
const ABOVE = /^[^\n]{1,200}(:\n|\n\s*\n)/;

/** What programs tell a terminal in the middle of a text. */
const TERMINAL = /\x1b(\[[\d;:?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(\x07|\x1b\\))/g;

/** A tag around all of a text, for the program that reads it. */
const WRAPPED = /^\s*<([a-z][\w-]*)>\s*\n([^]*)\n\s*<\/\1>\s*$/i;

/** What text can be, whatever stands around it. @type {Finder[]} */
const DATA = [imageIn, dataIn, commitsIn, diffIn, htmlTablesIn, xmlIn, delimitedIn, alignedIn, fieldsIn, drawnIn];

/**
 * What a text is, in order. Whatever is not sure stays text.
 * @param {string} text
 * @param {number} [depth] how often the text around data is read in turn
 * @returns {Reading[]} none for an empty text
 */
export function readText(text, depth = 2) {
  const source = withoutColours(text).replaceAll("\r\n", "\n");
  if (!source.trim()) return [];
  const [, tag, inner] = WRAPPED.exec(source) ?? [];
  if (tag && !/^(html|svg|body|div|table|ul|ol|p|pre)$/i.test(tag) && !first([xmlIn], source)) return readText(inner, depth);
  const found = first(depth ? [...DATA, fencedIn, dataAmid, formattedIn, framedIn] : [formattedIn], source);
  return found?.flatMap((part) => isString(part) ? readText(part.replace(/^\s*\n/, "").trimEnd(), depth - 1) : part)
    ?? [{ kind: text.includes("\x1b[") || looksLaidOut(source) ? "code" : "text", text: source }];
}

/** A text without what tells a terminal to change its colours. @param {string} text */
export function withoutColours(text) {
  return text.replace(TERMINAL, "");
}

/** @param {Finder[]} finders what throws finds nothing @param {string} text @returns {Found | undefined} */
function first(finders, text) {
  for (const find of finders) {
    try {
      const found = find(text);
      if (found) return found;
    } catch {
      // A page may forbid to parse HTML, and a text may be deeper than the stack.
    }
  }
  return undefined;
}

/** @type {Finder} */
function imageIn(text) {
  const value = pictureIn(text);
  return value && [{ kind: "image", value }];
}

/** @type {Finder} */
function diffIn(text) {
  return isDiff(text) ? [{ kind: "diff", text }] : undefined;
}

/** @type {Finder} */
function formattedIn(text) {
  return looksFormatted(text) ? [{ kind: "markdown", text }] : undefined;
}

/** Data in the only code fence of a text that has little else. @type {Finder} */
function fencedIn(text) {
  const [above, language, inner, , below, ...more] = text.split(/^ *```(.*)$/m);
  const found = !more.length && inner?.length > above.length + below?.length && DATA_FENCE.test(language.trim()) && first(DATA, inner);
  return found ? [above, ...found, below] : undefined;
}

/** Data with a line of words above, or words below. @type {Finder} */
function framedIn(text) {
  const [above = ""] = ABOVE.exec(text) ?? [];
  for (const end of [text.length, text.trimEnd().lastIndexOf("\n\n")]) {
    const found = end > above.length && first([dataIn, delimitedIn, alignedIn], text.slice(above.length, end));
    if (found) return [above, ...found, text.slice(end)];
  }
  return undefined;
}
