/** Places in a source, and what was changed in one. */
import { isBranch, isString, jsonText } from "../kit/plain.js";
/** @import { Ui } from "./things.js" */

const AROUND = 3;
const MOST_LINES = 300;

/**
 * The line of a text that matters, and those around it.
 * @param {Ui} ui @param {any} text
 * @param {{ line?: any, note?: any, tone?: string }} [options] `line`: its number from 1; `note`: what is to say of it
 */
export function excerpt(ui, text, { line, note, tone = "bad" } = {}) {
  const all = isString(text) ? text.split("\n") : [];
  const at = Number(line);
  if (!(at >= 1 && at <= all.length)) return undefined;
  const first = Math.max(1, at - AROUND);
  const name = { good: "ok", warning: "warn", bad: "bad" }[tone] ?? "bad";
  return ui.el(
    "div.excerpt",
    { role: "group", "aria-label": `Lines around line ${at}` },
    all.slice(first - 1, at + AROUND).flatMap((words, i) => {
      const isHere = first + i === at;
      const row = ui.el(
        "div",
        isHere ? { "data-tone": name } : {},
        ui.el("span.line-number", `${first + i}`),
        ui.el("code", words || " "),
      );
      return isHere && note ? [row, ui.el("p", { "data-tone": name }, note)] : [row];
    }),
  );
}

/** What was changed from one text to another, line by line. @param {Ui} ui @param {any} before @param {any} after */
export function compare(ui, before, after) {
  const [old, fresh] = [before, after].map((one) =>
    (isBranch(one) ? jsonText(one) : `${one ?? ""}`).split("\n"),
  );
  return ui.diff(
    old.join("\n") === fresh.join("\n")
      ? old.map((line) => `  ${line}`).join("\n")
      : signed(old, fresh).join("\n"),
  );
}

/** @param {string[]} old @param {string[]} fresh */
function signed(old, fresh) {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < fresh.length - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  )
    tail++;
  const middle = between(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  const same = (/** @type {string[]} */ lines) => lines.map((line) => `  ${line}`);
  return [
    ...same(old.slice(Math.max(0, head - AROUND), head)),
    ...middle,
    ...same(old.slice(old.length - tail, old.length - tail + AROUND)),
  ];
}

/** Lines with their signs; what both texts have stays, where they are short enough to tell. @param {string[]} old @param {string[]} fresh @returns {string[]} */
function between(old, fresh) {
  const [gone, come] = [old.map((line) => `- ${line}`), fresh.map((line) => `+ ${line}`)];
  if (old.length > MOST_LINES || fresh.length > MOST_LINES) return [...gone, ...come];
  /** How many lines the rests of both have in common. @type {number[][]} */
  const common = Array.from({ length: old.length + 1 }, () => Array(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i][j] =
        old[i] === fresh[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const lines = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(`  ${old[i]}`);
      i++;
      j++;
    } else if (i < old.length && (j >= fresh.length || common[i + 1][j] >= common[i][j + 1]))
      lines.push(gone[i++]);
    else lines.push(come[j++]);
  }
  return lines;
}
