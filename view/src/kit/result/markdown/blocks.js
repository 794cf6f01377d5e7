import { el } from "../../el.js";
import { min } from "../../plain.js";
import { codeBlock } from "../code.js";
import { inline } from "./inline.js";
import { isItem, listAt } from "./list.js";
import { tableAt } from "./table.js";
import { startsTable } from "./table-lines.js";
/** @import { Show } from "../show.js" */

/**
 * @typedef {object} Context of a block
 * @property {Show} show
 * @property {number} level of the highest heading on the page
 * @property {number} top how many marks the highest heading has
 * @property {number} depth quotes and lists around the block
 *
 * @typedef {[node: HTMLElement, next: number]} Block what was made, and the line behind it
 * @typedef {(lines: string[], at: number, context: Context) => Block | undefined} Reader
 */

/** Quotes and lists deeper than this stay text. */
const MAX_DEPTH = 6;

const FENCE = /^\s*(```+|~~~+)([^`]*)$/;
/** Lines of a tree or a box, drawn with signs for lines or with common ones. */
const DRAWN = /[\u2502\u250c-\u254b\u2551-\u256c]|^\s*(\|[ \t]+){0,20}[|`+\\][-_]{2,3} ?[^\s|+-]/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;

/** @type {Reader[]} */
const READERS = [fenceAt, headingAt, quoteAt, ruleAt, listAt, tableAt, drawnAt, indentedAt, paragraphAt];

/**
 * @param {string[]} lines @param {Context} context
 * @returns {HTMLElement[]}
 */
export function blocks(lines, context) {
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    if (!lines[at].trim()) {
      at++;
      continue;
    }
    for (const read of context.depth > MAX_DEPTH ? [paragraphAt] : READERS) {
      const block = read(lines, at, context);
      if (!block) continue;
      nodes.push(block[0]);
      at = block[1];
      break;
    }
  }
  return nodes;
}

/** @type {Reader} */
function fenceAt(lines, at, { show }) {
  const [, fence, info] = FENCE.exec(lines[at]) ?? [];
  if (!fence) return undefined;
  const start = at;
  while (++at < lines.length && lines[at].trim() !== fence);
  return [
    codeBlock(
      lines
        .slice(start + 1, at)
        .join("\n")
        .replace(/^\n+/, ""),
      info.trim(),
      show,
    ),
    at + 1,
  ];
}

/** @type {Reader} */
function headingAt(lines, at, context) {
  const [, marks, words] = HEADING.exec(lines[at]) ?? [];
  return marks ? [heading(marks.length, words.replace(/ #+ *$/, ""), context), at + 1] : undefined;
}

/** A heading, with its level in the text as its class. @param {number} marks @param {string} words @param {Context} context */
function heading(marks, words, { level, top, show }) {
  return el(`h${min(6, marks + level - top)}.h${marks - top + 1}`, inline(words, show));
}

/** @type {Reader} */
function quoteAt(lines, at, context) {
  const inner = [];
  while (isQuote(lines[at])) inner.push(lines[at++].replace(/^\s*> ?/, ""));
  return inner.length
    ? [el("blockquote", blocks(inner, { ...context, depth: context.depth + 1 })), at]
    : undefined;
}

/** @param {string} [line] */
function isQuote(line) {
  return /^\s*>/.test(line ?? "");
}

/** @type {Reader} */
function ruleAt(lines, at) {
  return isRule(lines[at]) ? [el("hr"), at + 1] : undefined;
}

/** @param {string} line */
function isRule(line) {
  return /^(---+|\*\*\*+|___+)$/.test(line.replace(/\s/g, ""));
}

/** @type {Reader} */
function indentedAt(lines, at, { show }) {
  const start = at;
  while (/^( {4}|\t|\s*$)/.test(lines[at] ?? "x")) at++;
  return at > start
    ? [
        codeBlock(
          lines
            .slice(start, at)
            .map((line) => line.replace(/^( {4}|\t)/, ""))
            .join("\n")
            .trimEnd(),
          "",
          show,
        ),
        at,
      ]
    : undefined;
}

/** A paragraph, or a heading that is underlined. @type {Reader} */
function paragraphAt(lines, at, context) {
  const level = ["===", "---"].indexOf(/^(===|---)[=-]*\s*$/.exec(lines[at + 1] ?? "")?.[1] ?? "") + 1;
  if (level) return [heading(level, lines[at], context), at + 2];
  const words = [];
  const margin = RegExp(`^\\s{0,${lines[at].search(/\S/)}}`);
  do words.push(lines[at++].replace(margin, ""));
  while (!isOver(lines, at, context));
  return [el("p", inline(words.join("\n"), context.show)), at];
}

/** Whether a paragraph ends before a line. @param {string[]} lines @param {number} at @param {Context} context */
function isOver(lines, at, { depth }) {
  const line = lines[at] ?? "";
  return (
    !line.trim() ||
    (depth <= MAX_DEPTH &&
      (FENCE.test(line) ||
        HEADING.test(line) ||
        isQuote(line) ||
        isRule(line) ||
        isItem(line) ||
        startsTable(lines, at) ||
        isDrawn(line) ||
        isDrawn(lines[at + 1])))
  );
}

/** @param {string} [line] */
function isDrawn(line) {
  return DRAWN.test((line ?? "").slice(0, 200));
}

/** A tree or a box, with the line above it: its lines keep their places. @type {Reader} */
function drawnAt(lines, at, { show }) {
  if (!isDrawn(lines[at]) && !isDrawn(lines[at + 1])) return undefined;
  const start = at++;
  while (lines[at]?.trim() && (isDrawn(lines[at]) || isDrawn(lines[at + 1]) || /^\s{2}/.test(lines[at])))
    at++;
  const words = lines.slice(start, at).map((line) => (/\*\*|`[^`]+`/.test(line) ? inline(line, show) : line));
  return [
    el(
      "pre.text.code.columns",
      { tabindex: 0 },
      words.flatMap((line, i) => [i > 0 && "\n", ...[line].flat()]),
    ),
    at,
  ];
}
