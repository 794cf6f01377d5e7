import { el, stack } from "../el.js";
import { lastOf } from "../plain.js";
import { badge } from "./scalar.js";
import { textBlock } from "./text.js";
/** @import { Show } from "./show.js" */

/** Where a hunk begins, with how many old and new lines it has. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Whether a text is a unified diff, or one that marks each of its lines. @param {string} text */
export function isDiff(text) {
  if (/^(--- |\+\+\+ |diff --git )/m.test(text) && RegExp(HUNK, "m").test(text)) return true;
  return (
    /^\+ /m.test(text) &&
    /^- /m.test(text) &&
    /^ {2}\S/m.test(text) &&
    text
      .trimEnd()
      .split("\n")
      .every((line) => /^([ +-] |$)/.test(line))
  );
}

/** Lines that only say again which file it is. */
const HEADS = /^(diff --git|index [\da-f]|(new|deleted|old) (file )?mode|similarity|rename|--- |\+\+\+ )/;
const MAX_FILES = 100;

/**
 * A diff: for each file its name and how much was added and removed, and the lines with their signs;
 * colour is not all there is.
 * @param {string} text @param {Show} show
 * @returns {HTMLElement}
 */
export function diffBlock(text, show) {
  const [before, ...named] = filesIn(text);
  if (named.length > MAX_FILES) return signedLines(text, show);
  const words = named.length > 0 && before.lines.join("\n").trim();
  return stack(
    words && textBlock(words, show.limit),
    (named.length ? named : [before]).map(({ name, state, lines }) => {
      const [added, removed] = ["+", "-"].map((sign) => signsOf(lines).filter((one) => one === sign).length);
      return el(
        "div.files",
        el(
          "div.file",
          el("span", name || "Changes"),
          state && badge(state),
          el("span.count", el("ins", `+${added}`), " ", el("del", `\u2212${removed}`)),
        ),
        lines.length > 0 && signedLines(lines.join("\n"), show),
      );
    }),
  );
}

/**
 * The files of a diff; first what stands above them.
 * @param {string} text
 */
function filesIn(text) {
  const all = text.trimEnd().split("\n");
  const files = [{ name: "", state: "", lines: /** @type {string[]} */ ([]) }];
  const signs = signsOf(all);
  all.forEach((line, i) => {
    if (signs[i]) return void lastOf(files).lines.push(line);
    const [, old, fresh] =
      /^--- ([^\t]+)[^]*?\n\+\+\+ ([^\t\n]+)/.exec(`${line}\n${all[i + 1]}`) ??
      /^diff --git (\S+) (\S+)$/.exec(line) ??
      [];
    const last = lastOf(files);
    if (old && (line[0] === "d" || !last.name || last.lines.length))
      files.push({ name: "", state: "", lines: [] });
    const file = lastOf(files);
    if (old)
      Object.assign(file, {
        name: (fresh === "/dev/null" ? old : fresh).replace(/^[ab]\//, ""),
        state: old === "/dev/null" ? "new" : fresh === "/dev/null" ? "deleted" : "",
      });
    else if (file.name && line.startsWith("rename to")) file.state = "renamed";
    else if (!HEADS.test(line) || !file.name) file.lines.push(line);
  });
  return files;
}

/** What each line of a diff is: "+", "-", " ", "@" where a hunk begins, "" outside of all. @param {string[]} lines */
function signsOf(lines) {
  const isHunked = lines.some((line) => HUNK.test(line));
  /** How many lines of the hunk are still to come. */
  let old = isHunked ? 0 : Infinity;
  let fresh = old;
  return lines.map((line) => {
    const [hunk, olds = 1, news = 1] = (isHunked && HUNK.exec(line)) || [];
    if (hunk) [old, fresh] = [+olds, +news];
    if (hunk) return "@";
    if ((old <= 0 && fresh <= 0) || line[0] === "\\") return "";
    if (line[0] !== "+") old--;
    if (line[0] !== "-") fresh--;
    return line[0] === "+" || line[0] === "-" ? line[0] : " ";
  });
}

/** Lines of a diff with their signs. @param {string} text @param {Show} show */
function signedLines(text, show) {
  const signs = signsOf(text.split("\n"));
  let at = 0;
  const paint = (/** @type {string} */ line) => {
    const sign = signs[at++];
    return sign === "+"
      ? el("ins", line)
      : sign === "-"
        ? el("del", line)
        : el(sign === " " ? "span" : "span.none", line);
  };
  return textBlock(text, show.limit, "text code columns diff", (piece) =>
    (piece.match(/.*\n|.+$/g) ?? []).map(paint),
  );
}
