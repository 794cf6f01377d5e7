import { fromEntries, keysOf } from "../../plain.js";
import { titles } from "./rows.js";
/** @import { Found } from "./read.js" */

/** A short name, a colon, and what it is, perhaps behind a dash or a picture. */
const FIELD =
  /^(\s*(?:[-*\u2022] )?)(?:\p{Extended_Pictographic}\ufe0f? ?)?(\p{L}[^:\n"'`<>{}[\]()=,;?!]{0,29}):(?:\s+(\S.*)|\s*)$/u;

/** Fewer fields than this are prose. */
const FEWEST = 3;
/** What stands between the fields of a line. */
const BAR = /\s+[|\u00b7\u2022]\s+/;

/**
 * Lines of names and values, with the text around them: one object, or a list of objects where the
 * names come again behind a blank line, or where every line has several fields between bars. Nothing
 * else may stand between them.
 * @param {string} text @returns {Found | undefined}
 */
export function fieldsIn(text) {
  const barred = text
    .trim()
    .split(/\n+/)
    .map((line) => line.replace(/^\s*[-*\u2022] /, "").split(BAR));
  const isBarred = barred.every((all) => all.length > 1 && all.every((one) => FIELD.exec(one)?.[3]));
  if (isBarred) text = barred.map((all) => all.join("\n")).join("\n\n");
  const paragraphs = text
    .replace(/^\n+/, "")
    .trimEnd()
    .split(/\n(?:\s*|[-=*_]{3,})\n/);
  const records = paragraphs.map(recordOf);
  const start = records.findIndex(Boolean);
  const end = records.findLastIndex(Boolean) + 1;
  const found = records.slice(start, end).map((one) => one ?? []);
  const lines = found.flat();
  const isWhole = found.every((one, i) => one.length && !(i && titleOf(paragraphs[start + i])));
  if (lines.length < (isBarred ? 2 : FEWEST) || lines.length * 2 < text.split(/\n+/).length || !isWhole)
    return undefined;
  const objects = found.every(([first]) => first[0] === lines[0][0])
    ? found.map(fromEntries)
    : [fromEntries(lines)];
  if (objects.flatMap(keysOf).length < lines.length) return undefined;
  const before = [...paragraphs.slice(0, start), titleOf(paragraphs[start])].join("\n\n");
  return [
    before,
    { kind: "data", value: objects[1] ? objects : objects[0], schema: titles(keysOf(objects[0])) },
    paragraphs.slice(end).join("\n\n"),
  ];
}

/** The names and values of a paragraph of nothing else, but for a title. @param {string} paragraph @returns {[string, string][] | undefined} */
function recordOf(paragraph) {
  const lines = paragraph
    .slice(titleOf(paragraph).length)
    .replace(/^\n/, "")
    .split("\n")
    .map((line) => FIELD.exec(line));
  return lines.length > 1 && lines.every((line) => line && line[1] === lines[0]?.[1])
    ? lines.map((line) => [line?.[2] ?? "", line?.[3] ?? ""])
    : undefined;
}

/** The first line of a paragraph where it is no field itself. @param {string} paragraph */
function titleOf(paragraph) {
  const [line] = paragraph.split("\n", 1);
  return FIELD.exec(line)?.[3] ? "" : line;
}
