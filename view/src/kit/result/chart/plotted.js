import { dateText, nameWords, number, plural, quantity } from "../../format.js";
import { instantOf, onTheWall } from "../../instant.js";
import { unitOf } from "../../meaning.js";
import { lastOf } from "../../plain.js";
import { HAS_WRITTEN_VIEW } from "../../written/has-view.js";
import { PLACE } from "./lists.js";
/** @import { Show } from "../show.js" */
/** @import { Evidence } from "./evidence.js" */

const HEIGHT = 200;
/** Of a mere list of numbers. */
const SPARK_HEIGHT = 120;

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {(number | null)[]} values
 * @property {boolean} apart whether a missing value is no gap
 * @property {(value: number | null) => string} text in words
 *
 * @typedef {object} Plotted data as people read it
 * @property {boolean} isLine
 * @property {string} [look] a special kind: "area", "scatter", "stacked", "donut"
 * @property {"number" | "date" | "label"} scale
 * @property {string} caption what the chart is about
 * @property {number[]} places where points stand: wall times, numbers, or the order of labels
 * @property {(i: number) => string} at the words for a point
 * @property {string} over the name of what the points stand along
 * @property {Series[]} series
 * @property {number} height that suits it, in pixels
 * @property {string} unit from which larger ones are made for the amounts, as `Intl` calls it, or ""
 */

/**
 * @param {Evidence} evidence
 * @param {Show} show whose schema has the words for columns
 * @param {string} title of the whole
 * @param {string} unit of all amounts, as people write it, or ""
 * @returns {Plotted}
 */
export function plotted({ type, look, x: { name, kind, cellValues: cells }, series }, show, title, unit) {
  const asked = HAS_WRITTEN_VIEW && unit;
  const isWhole = name === show.name;
  const labelOf = (/** @type {string} */ column) => (column === show.name ? title : show.at(0).label(column));
  const instants = cells.map((one) => (kind === "date" ? instantOf(one, name) : undefined));
  const labels = series.map((one) => one.label ?? labelOf(one.name));
  const over = labelOf(name);
  return {
    isLine: type === "line",
    look,
    over: name,
    height: name === PLACE ? SPARK_HEIGHT : HEIGHT,
    scale: instants[0] ? "date" : kind === "number" ? kind : "label",
    caption: isWhole
      ? title
      : name === PLACE
        ? labels[0]
        : `${series[0].label ? labelOf(series[0].name) : labels.join(", ")}${over === "Name" ? "" : ` by ${over}`}`,
    places: cells.map((one, i) => (instants[i] ? onTheWall(instants[i]) : kind === "number" ? one : i)),
    at: (i) =>
      instants[i]
        ? dateText(instants[i])
        : kind === "number"
          ? `${type === "line" ? `${over} ` : ""}${quantity(cells[i], name)}`
          : isWhole && /^\p{Ll}/u.test(cells[i])
            ? nameWords(cells[i])
            : `${cells[i]}`,
    unit: asked ? unitOf(asked) : unitOf(series[0].name) === "byte" ? "byte" : "",
    series: series.map((one, s) => ({
      label: labels[s],
      values: one.cellValues,
      apart: !!one.apart,
      text: (value) => (value === null || asked ? number(value, { unit }) : quantity(value, one.name)),
    })),
  };
}

/**
 * What a chart shows, in words.
 * @param {Plotted} data
 * @returns {string[]} how far it reaches; then the lowest, highest and last amount of each series
 */
export function summaryOf({ isLine, scale, places: { length }, at, series }) {
  const ends = isLine && scale !== "number" ? `, ${at(0)} \u2013 ${at(length - 1)}` : "";
  return [
    plural(length, isLine ? "point" : "bar") + ends,
    ...series.map(({ label, values, text }) => {
      const known = values.filter((one) => one !== null);
      const sorted = known.toSorted((a, b) => a - b);
      const last = isLine ? `, last ${text(lastOf(known))}` : "";
      return `${series.length > 1 ? `${label}: ` : ""}lowest ${text(sorted[0])}, highest ${text(lastOf(sorted))}${last}`;
    }),
  ];
}

/** A point and all its amounts, each in a line. @param {Plotted} data @param {number} i */
export function linesAt({ at, series }, i) {
  return [
    at(i),
    ...series.map(({ label, values, text }) => `${series.length > 1 ? `${label} ` : ""}${text(values[i])}`),
  ];
}
