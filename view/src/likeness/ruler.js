/** A value on a scale. */
import { entriesOf, plain } from "../kit/plain.js";
import { roundStep } from "../kit/result/chart/scale.js";
/** @import { Ui } from "./things.js" */

const WIDTH = 600;
const TICKS = 4;
/** How many parts a scale of whole numbers may have, so that each of its ticks is whole as well. */
const WHOLE_PARTS = [4, 5, 3, 7, 2];
const MAX_MARKS = 12;

/**
 * @param {Ui} ui @param {any} value
 * @param {{ min?: any, max?: any, unit?: string, marks?: any, label?: any }} [options] `marks`: other values, as numbers by name
 */
export function ruler(ui, value, { min, max, unit, marks = {}, label } = {}) {
  const others = entriesOf(plain(marks))
    .filter(([, at]) => Number.isFinite(at))
    .slice(0, MAX_MARKS);
  const all = [value, ...others.map(([, at]) => at)];
  const [low, high] = [min, max].map((end) => (Number.isFinite(end) ? end : undefined));
  if (!Number.isFinite(value)) return undefined;
  const step = roundStep(Math.max(...all.map(Math.abs)) / TICKS || 1);
  const from = low ?? Math.floor(Math.min(0, ...all) / step) * step;
  const to = high ?? Math.ceil(Math.max(0, ...all) / step) * step;
  if (!(to > from)) return undefined;
  const x = (/** @type {number} */ at) =>
    8 + (WIDTH - 16) * Math.min(Math.max((at - from) / (to - from), 0), 1);
  const ends = (/** @type {number} */ at) => (x(at) < 40 ? "start" : x(at) > WIDTH - 40 ? "end" : "middle");
  const words = (/** @type {number} */ at, /** @type {number} */ y, /** @type {any} */ text, style = "") =>
    ui.el("text", { x: x(at), y, "text-anchor": ends(at), class: style }, text);
  const parts = [value, from, to].every(Number.isInteger)
    ? (WHOLE_PARTS.find((count) => (to - from) % count === 0) ?? 1)
    : TICKS;
  const ticks = Array.from({ length: parts + 1 }, (_, i) => from + ((to - from) * i) / parts);
  return ui.el(
    "figure.ruler",
    {
      role: "img",
      "aria-label": `${label ?? "Value"}: ${ui.number(value, { unit })}, between ${ui.number(from)} and ${ui.number(to)}`,
    },
    ui.el(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${others.length ? 74 : 56}`, "aria-hidden": "true" },
      ui.el("line", { class: "axis", x1: 8, x2: WIDTH - 8, y1: 30, y2: 30 }),
      ui.el("line", { class: "run", x1: x(Math.max(from, Math.min(0, to))), x2: x(value), y1: 30, y2: 30 }),
      ticks.map((at) => [
        ui.el("line", { class: "axis", x1: x(at), x2: x(at), y1: 26, y2: 34 }),
        words(at, 50, ui.number(Number(at.toPrecision(6))), "muted"),
      ]),
      others.map(([name, at]) => [
        ui.el("line", { class: "other", x1: x(at), x2: x(at), y1: 20, y2: 40 }),
        words(at, 68, name, "muted"),
      ]),
      ui.el("circle", { cx: x(value), cy: 30, r: 7 }),
      words(value, 14, ui.number(value, { unit }), "strong"),
    ),
  );
}
