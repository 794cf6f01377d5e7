import { attempt, isString } from "../../plain.js";
import { isDiff } from "../diff.js";
import { alignedIn } from "./aligned.js";
import { commitsIn } from "./commits.js";
import { delimitedIn } from "./delimited.js";
import { drawnIn } from "./drawn.js";
import { fieldsIn } from "./fields.js";
import { htmlTablesIn } from "./html.js";
import { dataAmid, dataIn } from "./json.js";
import { closedTags, looksFormatted, looksLaidOut, MARKUP } from "./layout.js";
import { markedIn } from "./marked.js";
import { pictureIn } from "./picture.js";
import { xmlIn } from "./xml.js";

/**
 * @typedef {object} Reading what a text, or a part of it, turned out to be
 * @property {"data" | "table" | "markdown" | "diff" | "image" | "code" | "text"} kind
 * @property {any} [value] data: JSON; table: rows and columns; image: a content item
 * @property {string} [text] of the other kinds
 * @property {string} [language] of code, where it is known
 * @property {object} [schema] of data: the words for its members
 * @property {boolean} [isAside] whether a text is for the model that called the tool, not for a person
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

/** A heading that only says that the result is one. */
const NAMELESS = /^\s*#{1,6} (results?|output|response|answer)[ \t]*\n/i;

/** A tag on a line of its own, for the program that reads the text. */
const TAG = /^[ \t]*<([a-z][\w-]*)( [^<>]*)?>[ \t]*$/im;

/** How servers tell a model to read the answer, what to call next and what to say to the person. */
const TO_MODEL =
  /\b(not|never) (interpret|follow|execute|obey|trust|treat)\b[^]{0,80}(instruction|command|content|data)|\buntrusted (\w+ )?(data|content|input|text)|\b(ask|tell|inform|show|display|remind|notify)\b[^.]{0,60}\bthe user\b|\bif the user (ask|want|did|need)|\bcall (the )?[`'"]?\w{1,40}_\w|\b(call|use|invoke) (the )?[`'"]\w{1,60}[`'"]|_\w{1,40}[`'"]? tool\b|\bcall the \w{1,40} tool\b/i;

const TASK = /^( *)(\[[ x]\] \S)/gim;

/** What text can be, whatever stands around it. @type {Finder[]} */
const DATA = [
  imageIn,
  dataIn,
  commitsIn,
  diffIn,
  htmlTablesIn,
  xmlIn,
  delimitedIn,
  alignedIn,
  fieldsIn,
  drawnIn,
  markedIn,
];

/**
 * What a text is, in order. Whatever is not sure stays text.
 * @param {string} text
 * @param {number} [depth] how often the text around data is read in turn
 * @returns {Reading[]} none for an empty text
 */
export function readText(text, depth = 2) {
  const source = withoutColours(text).replaceAll("\r\n", "\n").replace(NAMELESS, "");
  if (!source.trim()) return [];
  const inside = depth && unwrapped(source);
  if (inside) return inside.flatMap((part) => readText(part, depth - 1));
  const found = first(depth ? [...DATA, fencedIn, dataAmid, formattedIn, framedIn] : [formattedIn], source);
  return (
    found?.flatMap((part) =>
      isString(part) ? readText(part.replace(/^\s*\n/, "").trimEnd(), depth - 1) : part,
    ) ??
    (text.includes("\x1b[") || looksLaidOut(source) ? [{ kind: "code", text: source }] : withAsides(source))
  );
}

/** Whether it is data or a table. @param {Reading} reading */
export function isData({ kind }) {
  return /^(data|table)$/.test(kind);
}

/** A text with the notes to a model in it apart. @param {string} text @returns {Reading[]} */
function withAsides(text) {
  const paragraphs = text.split(/\n[ \t]*\n/);
  if (!paragraphs.some((one) => TO_MODEL.test(one))) return [{ kind: "text", text }];
  return paragraphs
    .filter((one) => one.trim())
    .map((one) => ({ kind: "text", text: one, isAside: TO_MODEL.test(one) }));
}

/**
 * What stands before, inside and behind a tag around a text, which may have notes to a model around it.
 * @param {string} text @returns {string[] | undefined} undefined where there is none
 */
function unwrapped(text) {
  const found = TAG.exec(text);
  const [line, tag] = found ?? ["", ""];
  const { index = 0 } = found ?? {};
  const end = tag && !MARKUP.test(tag) && closedTags(text).length < 2 ? text.lastIndexOf(`</${tag}>`) : -1;
  const parts = [
    text.slice(0, index),
    text.slice(index + line.length, end),
    text.slice(end + tag.length + 3),
  ];
  const around = `${parts[0]}\n${parts[2]}`.trim();
  return end > index && (around ? TO_MODEL.test(around) && !around.includes("```") : !first([xmlIn], text))
    ? parts
    : undefined;
}

/** A text without what tells a terminal to change its colours. @param {string} text */
export function withoutColours(text) {
  return text.replace(TERMINAL, "");
}

/** @param {Finder[]} finders what throws finds nothing @param {string} text @returns {Found | undefined} */
function first(finders, text) {
  for (const find of finders) {
    // A page may forbid to parse HTML, and a text may be deeper than the stack.
    const found = attempt(() => find(text));
    if (found) return found;
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

/** Tasks need no mark of a list in front. @type {Finder} */
function formattedIn(text) {
  if (text.match(TASK)?.[1]) text = text.replace(TASK, "$1- $2");
  return looksFormatted(text) ? [{ kind: "markdown", text }] : undefined;
}

/** Data in the only code fence of a text that has little else. @type {Finder} */
function fencedIn(text) {
  const [above, language, inner, , below, ...more] = text.split(/^ *```(.*)$/m);
  const found =
    !more.length &&
    inner?.length > above.length + below?.length &&
    DATA_FENCE.test(language.trim()) &&
    first(DATA, inner);
  return found ? [above, ...found, below] : undefined;
}

/** Data with a line of words above, or words below. @type {Finder} */
function framedIn(text) {
  const [above = ""] = ABOVE.exec(text) ?? [];
  for (const end of [text.length, text.trimEnd().lastIndexOf("\n\n")]) {
    const found =
      end > above.length && first([dataIn, delimitedIn, alignedIn], text.slice(above.length, end));
    if (found) return [above, ...found, text.slice(end)];
  }
  return undefined;
}
