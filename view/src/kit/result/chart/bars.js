import { plural, shorten } from "../../format.js";
import { abs, floor, max, min, round } from "../../plain.js";
import { HAS_WRITTEN_VIEW } from "../../written/has-view.js";
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
export function drawBars({ series, places, at, look }, width, mirrored) {
  const isStacked =
    HAS_WRITTEN_VIEW &&
    look === "stacked" &&
    series.every(({ values }) => values.every((one) => Number(one) >= 0));
  const isCut = places.length > MOST;
  const size = (/** @type {number} */ i) =>
    series.slice(0, isStacked ? MOST : 1).reduce((sum, { values }) => sum + abs(Number(values[i])), 0);
  const points = isCut
    ? [...places.keys()].sort((a, b) => size(b) - size(a)).slice(0, MOST_WHEN_CUT)
    : [...places.keys()];
  const labels = points.map(at);
  const lanes = isStacked ? 1 : series.length;
  /** Where the next piece of each bar begins. */
  const ends = points.map(() => 0);
  const bars = series.flatMap(({ values, text }, s) =>
    points.map((i, p) => {
      const from = ends[p];
      const value = from + Number(values[i]);
      if (isStacked) ends[p] = value;
      return {
        s,
        p,
        from,
        value,
        text: isStacked ? (s < series.length - 1 ? "" : text(value)) : text(values[i]),
      };
    }),
  );
  const values = bars.map(({ value }) => value);
  const [low, high] = [min(0, ...values), max(0, ...values)];
  const reach = widest(bars.map(({ text }) => text)) + GAP;
  const side = min(widest(labels) + GAP, width * LABEL_SHARE);
  const along = between(low, high, side + (low && reach), width - (high && reach));
  const pitch = SLOT * lanes + GAP;
  const height = pitch * points.length;
  const flip = (/** @type {number} */ x, span = 0) => (mirrored ? width - x - span : x);
  const zero = along(0);

  const nodes = labels.map((label, p) =>
    svg(
      "text",
      { class: "name", x: flip(0), y: pitch * (p + 0.5) + 4 },
      shorten(label, floor((side - GAP) / LETTER)),
    ),
  );
  for (const { s, p, from, value, text } of bars) {
    const end = along(value);
    const start = along(from);
    const span = value - from && max(1, abs(end - start));
    const y = pitch * p + GAP / 2 + SLOT * (isStacked ? 0 : s);
    nodes.push(
      svg("rect", {
        class: `column s${s}`,
        x: flip(min(start, end), span),
        y: y + 2,
        width: span,
        height: SLOT - 4,
        rx: 2,
      }),
      svg(
        "text",
        {
          x: flip(end + (value < 0 ? -6 : 6)),
          y: y + SLOT / 2 + 4,
          "text-anchor": value < 0 ? "end" : "start",
        },
        text,
      ),
    );
  }
  if (low) nodes.push(svg("path", { class: "grid zero", d: `M${round(flip(zero)) + 0.5} 0V${height}` }));
  return {
    height,
    nodes,
    points,
    note: isCut
      ? `The ${MOST_WHEN_CUT} largest of ${plural(places.length, "bar")}; all are in the table`
      : "",
    mark: (point) => {
      const y = points.indexOf(point) * pitch;
      return {
        x: flip(width),
        y: y + pitch,
        nodes: [svg("rect", { class: "band", x: 0, y, width, height: pitch })],
      };
    },
    nearest: (_, y) => floor(y / pitch),
  };
}

const RING = 148;
const NARROW = 380;
const LINE = 26;

/**
 * Shares of a whole: a ring, and what its pieces are.
 * @param {Plotted} data of one series, with few amounts, none below zero
 * @param {number} width in pixels
 * @returns {Drawing}
 */
export function drawDonut({ series: [{ values, text }], places, at }, width) {
  const total = values.reduce((/** @type {number} */ sum, one) => sum + Number(one), 0);
  const isBeside = width > NARROW;
  const left = isBeside ? RING + 28 : 0;
  const top = isBeside ? (RING - LINE * places.length) / 2 : RING + GAP;
  let from = 0;
  const nodes = places.flatMap((_, i) => {
    const share = (100 * Number(values[i])) / total;
    const y = top + LINE * i;
    const words = text(values[i]);
    const amount = words.endsWith("%") ? words : `${words} \u00b7 ${round(share)}\u00a0%`;
    const piece = svg("circle", {
      class: `slice s${i}`,
      cx: RING / 2,
      cy: RING / 2,
      r: RING / 2 - 14,
      pathLength: 100,
      "stroke-dasharray": `${max(0, share - 1)} 100`,
      "stroke-dashoffset": -from,
      transform: `rotate(-90 ${RING / 2} ${RING / 2})`,
    });
    from += share;
    return [
      piece,
      svg("rect", { class: `swab s${i}`, x: left + 4, y: y + 8, width: 10, height: 10, rx: 3 }),
      svg(
        "text",
        { class: "name", x: left + 24, y: y + 17 },
        shorten(at(i), floor((min(width, left + NARROW) - left - 40 - widest([amount])) / LETTER)),
      ),
      svg("text", { x: min(width, left + NARROW) - 6, y: y + 17, "text-anchor": "end" }, amount),
    ];
  });
  return {
    height: max(RING, top + LINE * places.length),
    nodes,
    points: [...places.keys()],
    mark: (i) => ({
      x: width,
      y: top + LINE * (i + 1),
      nodes: [
        svg("rect", {
          class: "band",
          x: left,
          y: top + LINE * i,
          width: min(width, left + NARROW) - left,
          height: LINE,
          rx: 4,
        }),
      ],
    }),
    nearest: (_, y) => floor((y - top) / LINE),
  };
}

/** Whether amounts are shares that a ring shows well. @param {Plotted} data */
export function isDonut({ look, series: [{ values }, ...others] }) {
  return (
    look === "donut" &&
    !others.length &&
    values.length <= 5 &&
    values.every((one) => Number(one) >= 0) &&
    values.some(Number)
  );
}
