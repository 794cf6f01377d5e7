import { quantity, readableUnit } from "../../format.js";
import { dateFormat } from "../../locale.js";
import { abs, lastOf, max, min, round } from "../../plain.js";
import { roundTicks, thinned, timeTicks } from "./scale.js";
import { between, svg, textWidth, widest } from "./svg.js";
/** @import { Plotted, Series } from "./plotted.js" */

const TOP = 8;
const BELOW = 24;
const MARGIN = 8;
const TICK_HEIGHT = 46;
const TICK_WIDTH = { number: 48, date: 80, label: 80 };
/** Amounts this close to zero, measured by the highest, are drawn from zero. */
const NEAR_ZERO = 0.5;
const DOTS_UP_TO = 12;

/**
 * @typedef {object} Drawing
 * @property {number} height
 * @property {SVGElement[]} nodes
 * @property {number[]} points that are drawn, in the order of the arrow keys
 * @property {(point: number) => { x: number, y: number, nodes: SVGElement[] }} mark what shows where the cursor stands, and where its tip goes
 * @property {(x: number, y: number) => number} nearest place in `points`, which may be before the first or behind the last
 * @property {string} [note] what is not drawn, in words
 */

/**
 * Lines over times, numbers or ordered labels. Gaps stay gaps.
 * @param {Plotted} data
 * @param {number} width in pixels
 * @returns {Drawing}
 */
export function drawLine(data, width) {
  const { places, series, height, look } = data;
  const isArea = look === "area" || (!look && series.length < 2);
  const bottom = height - BELOW;
  const amounts = amountTicks(data);
  const labels = amounts.map((tick) => series[0].text(tick));
  const left = widest(labels) + MARGIN;
  const right = width - MARGIN;
  const across = between(places[0], lastOf(places), left, right);
  const up = between(amounts[0], lastOf(amounts), bottom, TOP);
  const spot = (/** @type {Series} */ { values }, /** @type {number} */ i) =>
    `${across(places[i]).toFixed(1)} ${up(Number(values[i])).toFixed(1)}`;
  const dots = (/** @type {number} */ s, /** @type {number[]} */ points) =>
    svg("path", {
      class: `dots s${s}`,
      d: points
        .filter((i) => series[s].values[i] !== null)
        .map((i) => `M${spot(series[s], i)}h0`)
        .join(""),
    });

  const nodes = amounts.flatMap((tick, t) => [
    svg("path", { class: tick ? "grid" : "grid zero", d: `M${left} ${round(up(tick)) + 0.5}H${right}` }),
    svg("text", { x: left - MARGIN, y: up(tick) + 4, "text-anchor": "end" }, labels[t]),
  ]);
  for (const [place, label] of placeTicks(data, (right - left) / TICK_WIDTH[data.scale])) {
    const half = textWidth(label) / 2;
    nodes.push(
      svg(
        "text",
        { x: min(max(across(place), half), width - half), y: height - 4, "text-anchor": "middle" },
        label,
      ),
    );
  }
  series.forEach((one, s) => {
    const runs = runsOf(one, (right - left) / 2);
    const lines = runs.map((run) => `M${run.map((i) => spot(one, i)).join("L")}h0`);
    if (isArea && amounts.includes(0))
      nodes.push(
        svg("path", {
          class: `area s${s}`,
          d: lines.map((line, r) => `${line}V${up(0)}H${across(places[runs[r][0]])}z`).join(""),
        }),
      );
    if (look !== "scatter") nodes.push(svg("path", { class: `line s${s}`, d: lines.join("") }));
    if (look === "scatter" || places.length <= DOTS_UP_TO) nodes.push(dots(s, runs.flat()));
  });
  return {
    height,
    nodes,
    points: [...places.keys()],
    mark: (i) => ({
      x: across(places[i]),
      y: 0,
      nodes: [
        svg("path", { class: "hair", d: `M${across(places[i])} ${TOP}V${bottom}` }),
        ...series.map((_, s) => dots(s, [i])),
      ],
    }),
    nearest: (x) =>
      places.reduce(
        (best, place, i) => (abs(across(place) - x) < abs(across(places[best]) - x) ? i : best),
        0,
      ),
  };
}

/** Ticks that are round in the unit that people read. @param {Plotted} data */
function amountTicks({ series, unit, height, look }) {
  const values = series.flatMap((one) => one.values).filter((one) => one !== null);
  const [low, high] = values.reduce(
    ([least, most], one) => [min(least, one), max(most, one)],
    [Infinity, -Infinity],
  );
  const { size } = readableUnit(max(high, -low), unit);
  const ticks = roundTicks(
    low > 0 && (look === "area" || low < high * NEAR_ZERO) ? 0 : low / size,
    high / size,
    height / TICK_HEIGHT,
  );
  return ticks.map((tick) => tick * size);
}

/** Ticks under the lines: where the calendar turns, round numbers, or some of the labels. @param {Plotted} data @param {number} most @returns {[place: number, label: string][]} */
function placeTicks({ places, scale, at, over }, most) {
  const [low, high] = [places[0], lastOf(places)];
  if (low === high) return [[low, at(0)]];
  if (scale === "date")
    return timeTicks(low, high, most).map(([place, format]) => [place, dateFormat(format).format(place)]);
  const isWhole = places.every(Number.isInteger);
  return roundTicks(low, high, most)
    .filter((place) => place >= low && place <= high && (!isWhole || place % 1 === 0))
    .map((place) => [place, scale === "label" ? at(place) : quantity(place, over)]);
}

/** Stretches without a gap, with as many points as can be told apart. @param {Series} series @param {number} stretches */
function runsOf({ values, apart }, stretches) {
  /** @type {number[][]} */
  const runs = [[]];
  for (const i of thinned(values, stretches)) {
    if (values[i] === null) apart || runs.push([]);
    else lastOf(runs).push(i);
  }
  return runs.filter(({ length }) => length);
}
