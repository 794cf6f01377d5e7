import { nameWords } from "../../format.js";
import { min } from "../../plain.js";
import { startsTable } from "../markdown/table-lines.js";

const FENCED = /^ *(```|~~~)[^]*?^ *\1.*$/gm;
/** A tag on a line of its own, for the program that reads the text; or the mark of a fence. */
const TAG = /^ *(?:(```|~~~).*|<(\/?)([a-z][\w-]*)((?: [^<>\n]*)?)>)[ \t]*$/gim;
export const MARKUP = /^(html|svg|body|div|table|ul|ol|p|pre|details)$/i;
const ITEM = /^\s*([-*+\u2022]|\d+[.)]) \S/;

/** What formatted text has and other text hardly ever, with what each proves and how often it counts. @type {[RegExp, number, number][]} */
const SIGNS = [
  [FENCED, 2, 1],
  [/^ {0,3}#{2,6} \S/gm, 2, 1],
  [/^ {0,3}# \S.*\n\s*\n(?![\w.-]+ ?[:=])/gm, 1, 1],
  [/^.+\n(===+|---+)[ \t]*$/gm, 1, 1],
  [/\[[^\]\n]{0,200}\]\([\w./#][^)\s]{0,999}\)/g, 2, 1],
  [/^\S+ .{1,120}:\n+( {0,3}([-*+\u2022]|\d+[.)]) \S.*(\n|$))+/gm, 2, 1],
  [/!\[[^\]\n]{0,200}\]\(data:image\//g, 2, 1],
  [/(?<![\w*])\*\*[^\s*][^*\n]{0,200}\*\*(?!\w)/g, 1, 2],
  [/^\*\*[^*\n]{1,200}\*\*:?$/gm, 1, 1],
  [/`[^`\n]{1,200}`/g, 1, 2],
  [/^[ \t]*[-*+] \[[ x]\] /gim, 2, 1],
  [/^> \S/gm, 1, 1],
  [/^\d+[.)] \S.*(\n+ {2,}\S.*)+/gm, 3, 2],
];
const ENOUGH = 2;
/** What it takes where the lines look like something else. */
const ENOUGH_IN_DOUBT = 5;

const CODE =
  /[;{}]\s*$|^\s*(import|from|def|class|function|const|let|var|return|if|for|while|public|private|export|package|SELECT|CREATE) .*[(=:;{'"]|^\s*(\/[/*]|#!)|^[\w.-]+ ?=/;
const LOG = /^\W?(\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\W?(INFO|DEBUG|WARN|ERROR|TRACE)\b)/;
const YAML = /^\s*(- )?[\w.-]+:(\s|$)/;
const SPACED = /\S( {3,}|\t)\S|[\u2500-\u259f]/;

/**
 * Whether a text is written in Markdown, as far as its signs prove; code, logs, settings and drawings
 * are not, whatever single signs they have.
 * @param {string} text
 */
export function looksFormatted(text) {
  const lines = linesOf(text.replace(FENCED, ""));
  const table = lines.some((_, i) => startsTable(lines, i)) ? 2 : 0;
  const list =
    Number(isShare(lines, ITEM, 0)) + Number(lines.length > 2 && isShare(lines, /^([-*+]|\d+[.)]) \S/, 0.49));
  const title = /^# [^\n]*[^:\n]\n\s*\n(?![\w.-]+ ?[:=])/.test(text) ? 1 : 0;
  const signs = SIGNS.reduce(
    (sum, [sign, weight, most]) => sum + weight * min(most, text.match(sign)?.length ?? 0),
    0,
  );
  const doubt =
    isShare(lines, CODE, 0.2) ||
    isShare(lines, LOG, 0.3) ||
    isShare(lines, YAML, 0.5) ||
    (!table && isShare(lines, SPACED, 0.3));
  const tagged = untagged(text) === text ? 0 : 2;
  return signs + list + table + title + tagged >= (doubt ? ENOUGH_IN_DOUBT : ENOUGH);
}

/** A text whose tagged parts stand under headings; a tag around all of it is left out. @param {string} text */
export function untagged(text) {
  const closed = closedTags(text);
  const [, whole] = /^\s*<([a-z][\w-]*)[^<>\n]*>[^]*<\/\1>\s*$/i.exec(text) ?? [];
  let isCode = false;
  return text.replace(TAG, (all, fence, end, tag, attributes, at) => {
    if (fence) isCode = !isCode;
    if (fence || isCode || !closed.includes(tag) || MARKUP.test(tag)) return all;
    return end || (tag === whole && !text.slice(0, at).trim())
      ? ""
      : `# ${nameWords(tag)}${attributes.replace(/ +[\w-]+=["']?([^"']*)["']?/g, ": $1")}\n`;
  });
}

/** The tags that lines of a text close. @param {string} text */
export function closedTags(text) {
  return [...text.matchAll(/^ *<\/([a-z][\w-]*)>[ \t]*$/gim)].map(([, tag]) => tag);
}

/** Whether the places of words in their lines mean something: code, markup, output in columns, drawings, a line that points at the one above. @param {string} text */
export function looksLaidOut(text) {
  return (
    /^\s*<[a-z!?][^]*>\s*$|\n *\^[~^]* *(\n|$)/i.test(text) ||
    [CODE, LOG, SPACED, /^\s/].some((shape) => isShare(linesOf(text), shape, 0.2))
  );
}

/** @param {string} text */
function linesOf(text) {
  return text.split("\n").filter((line) => line.trim());
}

/** Whether more than a share of the lines, and more than one, look like that. @param {string[]} lines @param {RegExp} shape @param {number} part */
function isShare(lines, shape, part) {
  const count = lines.filter((line) => shape.test(line)).length;
  return count > 1 && count > part * lines.length;
}
