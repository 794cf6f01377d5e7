import { el, note, stack } from "../el.js";
import { shorten } from "../format.js";
import { string } from "../plain.js";
import { codeBlock } from "./code.js";
import { diffBlock } from "./diff.js";
import { keptFold } from "./fold.js";
import { withLinks } from "./markdown/inline.js";
import { markdown } from "./markdown/markdown.js";
import { wrappedEnds } from "./markdown/wrapped.js";
import { image } from "./media.js";
import { isData, readText } from "./recognise/read.js";
import { titles } from "./recognise/rows.js";
import { textBlock } from "./text.js";
import { renderRows, renderValue } from "./value.js";
/** @import { Reading } from "./recognise/read.js" */
/** @import { Show } from "./show.js" */

export const FOR_MODEL = "For the model";
/** So much of a folded text is shown. */
const GIST = 60;
/** A line of words that stands above something else. */
const LABEL = /^[^\n]{1,80}:$/;
const LABELLED = /^([^\n]{1,80}):\n(?=[^\n]*\S)([^]+)$/;

/**
 * A text by what it is: data, a table, formatted text, a diff, an image, code, or words.
 * @param {string} text
 * @param {Show} show
 * @param {{ readings?: Reading[], level?: number }} [options] `readings`: what it was read as;
 *   `level`: of the highest heading
 * @returns {HTMLElement}
 */
export function renderText(text, show, { readings = readText(text), level = 3 } = {}) {
  if (!readings.length) return note("Empty text");
  const isBeside = readings.some(isData);
  const asides = readings.filter(({ isAside }) => isAside);
  const others = readings.filter((reading) => asides.length === readings.length || !asides.includes(reading));
  const parts = [
    ...others.map((reading, i) => {
      const words = reading.kind === "text" && isBeside ? string(reading.text).trim() : "";
      if (LABEL.test(words)) return el("p.caption", words.slice(0, -1));
      const node = renderReading(reading, show.at(`part ${i}`, reading.schema ?? {}), level);
      if (words) node.classList.add("hint");
      return node;
    }),
    ...(others.length < readings.length
      ? [foldedText(asides.map((one) => one.text).join("\n\n"), show.at("aside"), FOR_MODEL)]
      : []),
  ];
  return parts[1] ? stack(parts) : parts[0];
}

/** A text under a line of its beginning. @param {string} text @param {Show} show @param {string} name @param {Reading[]} [readings] */
export function foldedText(text, show, name, readings) {
  return keptFold(
    show,
    [`${name} `, el("span.hint", shorten(text.replace(/\]\([^)]*\)|[[\]`]|[-=_*#~]{2,}/g, " "), GIST))],
    () => [renderText(text, show, { readings })],
  );
}

/** @param {Reading} reading @param {Show} show @param {number} level @returns {HTMLElement} */
function renderReading({ kind, value, text = "", language = "" }, show, level) {
  switch (kind) {
    case "data":
      return renderValue(value, show);
    case "table":
      return renderRows(value, show.at("rows", titles(value.columns)), "Table");
    case "markdown":
      return markdown(text, { show, level });
    case "diff":
      return diffBlock(text, show);
    case "image":
      return image(value, show);
    case "code":
      return language ? codeBlock(text, language, show) : asWritten(text, show);
    default: {
      const [, label, rest] = LABELLED.exec(text) ?? [];
      return label ? stack(el("p.caption", label), wordsOf(rest, show)) : wordsOf(text, show);
    }
  }
}

/** @param {string} text @param {Show} show */
function wordsOf(text, show) {
  const ends = wrappedEnds(text);
  const flowing = text
    .replace(/\n/g, (end, at) => (ends.has(at) ? " " : end))
    .replace(/\n\s*\n(?=\n)/g, "\n");
  return textBlock(flowing, show.limit, "text", (piece) => withLinks(piece, show));
}

/** Text as it came; where it has columns, they keep their places. @param {string} text @param {Show} show */
function asWritten(text, show) {
  return textBlock(text, show.limit, /\S {2,}\S|\^/.test(text) ? "text code columns" : "text code");
}
