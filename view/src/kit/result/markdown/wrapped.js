import { max } from "../../plain.js";

/** Lines of other lengths than these were not wrapped to fit a page. */
const [SHORTEST, LONGEST] = [60, 132];
/** Lines up to this one may end in the middle of a sentence. */
const WIDEST = 170;

/** How a line begins that stands for itself: with a sign, a figure, or a label and a colon. */
const OWN_LINE =
  /^\s*(?![\p{L}"'(\u201c\u2018]|[*_]{1,2}\p{L})|^\s*[*_]*[\p{L}\p{N}][^\n:.!?]{0,40}:[*_]*(\s|$)/u;

/**
 * The line ends of a paragraph that only fit it to a page: the next word had no room on the line.
 * All others were meant. In doubt they are: a line too many is read more easily than lines run together.
 * @param {string} text
 * @returns {Set<number>} places of the line ends
 */
export function wrappedEnds(text) {
  const lines = text.split("\n");
  const places = new Set();
  let [start, end] = [0, 0];
  lines.forEach((line, i) => {
    end += line.length + 1;
    const isLast = i === lines.length - 1;
    if (!isLast && goesOn(line, lines[i + 1], i === lines.length - 2)) places.add(end - 1);
    if (!isLast && !/(:| {2}|\\)$/.test(line) && !OWN_LINE.test(lines[i + 1])) return;
    const stretch = lines.slice(start, i + 1);
    let at = end;
    if (isWrapped(stretch))
      for (let j = stretch.length - 1; j > 0; j--) places.add((at -= stretch[j].length + 1) - 1);
    start = i + 1;
  });
  return places;
}

/** Whether a long line ends in the middle of a sentence. @param {string} line @param {string} next @param {boolean} isLast whether that ends the text */
function goesOn(line, next, isLast) {
  return (
    line.length >= SHORTEST &&
    line.length <= WIDEST &&
    (isLast || next.length >= SHORTEST) &&
    /[\p{L},\u2014] ?$/u.test(line) &&
    /^\s*[`("']?\p{Ll}/u.test(next) &&
    (/^\s*`/.test(next) || !OWN_LINE.test(next))
  );
}

/** Whether lines are one that was wrapped. @param {string[]} lines */
function isWrapped(lines) {
  const [, ...later] = lines;
  const width = lines.reduce((most, { length }) => max(most, length), 0);
  const isFull = (/** @type {string} */ next, /** @type {number} */ i) =>
    lines[i].length >= SHORTEST && lines[i].length + 1 + next.trimStart().search(/\s|$/) > width;
  const goOn = later.filter((line) => /^\s*[("'\u201c\u2018*_]*\p{Ll}/u.test(line)).length;
  return later.length > 0 && width <= LONGEST && goOn * 2 >= later.length && later.every(isFull);
}
