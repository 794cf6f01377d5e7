import { plural, shorten } from "../../format.js";
import { abs, floor, max, min } from "../../plain.js";
import { between, LETTER, svg, widest } from "./svg.js";
/** @import { Drawing } from "./line.js" */
/** @import { Plotted } from "./plotted.js" */

const MOST = 20;
const MOST_WHEN_CUT = 15;
const SLOT = 18;
const GAP = 8;
const LABEL_SHARE = 0.38;

/**
 * Lying bars from zero, each with its label and amount, so that they need no axis and no width.
 * @param {Plotted} data
 * @param {number} width in pixels
 * @param {boolean} mirrored from right to left
 * @returns {Drawing}
 */
export function drawBars({ series, places, at }, width, mirrored) {
  const isCut = places.length > MOST;
  const size = (/** @type {number} */ i) => abs(Number(series[0].values[i]));
  const points = isCut ? [...places.keys()].sort((a, b) => size(b) - size(a)).slice(0, MOST_WHEN_CUT) : [...places.keys()];
  const labels = points.map(at);
  const bars = series.flatMap(({ values, text }, s) => points.map((i, p) => ({ s, p, value: Number(values[i]), text: text(values[i]) })));
  const values = bars.map(({ value }) => value);
  const [low, high] = [min(0, ...values), max(0, ...values)];
  const reach = widest(bars.map(({ text }) => text)) + GAP;
  const side = min(widest(labels) + GAP, width * LABEL_SHARE);
  const along = between(low, high, side + (low && reach), width - (high && reach));
  const pitch = SLOT * series.length + GAP;
  const height = pitch * points.length;
  const flip = (/** @type {number} */ x, span = 0) => mirrored ? width - x - span : x;
  const zero = along(0);

  const nodes = labels.map((label, p) => svg("text", { class: "name", x: flip(0), y: pitch * (p + 0.5) + 4 }, shorten(label, floor((side - GAP) / LETTER))));
  for (const { s, p, value, text } of bars) {
    const end = along(value);
    const span = value && max(1, abs(end - zero));
    const y = pitch * p + GAP / 2 + SLOT * s;
    nodes.push(
      svg("rect", { class: `column s${s}`, x: flip(min(zero, end), span), y: y + 2, width: span, height: SLOT - 4, rx: 2 }),
      svg("text", { x: flip(end + (value < 0 ? -6 : 6)), y: y + SLOT / 2 + 4, "text-anchor": value < 0 ? "end" : "start" }, text));
  }
  if (low) nodes.push(svg("path", { class: "grid zero", d: `M${Math.round(flip(zero)) + 0.5} 0V${height}` }));
  return {
    height, nodes, points,
    note: isCut ? `The ${MOST_WHEN_CUT} largest of ${plural(places.length, "bar")}; all are in the table` : "",
    mark: (point) => {
      const y = points.indexOf(point) * pitch;
      return { x: flip(width), y: y + pitch, nodes: [svg("rect", { class: "band", x: 0, y, width, height: pitch })] };
    },
    nearest: (_, y) => min(points.length - 1, max(0, floor(y / pitch))),
  };
}
