/** The kit's parts by name, beside what `ui` promises to views: for tests that try them one by one. */
import { byteSize, date, number, plural } from "./format.js";
import { argumentsForm } from "./form/arguments.js";
import { speak } from "./locale.js";
import { chart } from "./result/chart/chart.js";
import { partsOf } from "./result/data.js";
import { markdown } from "./result/markdown/markdown.js";
import { card, keyValueOf, tableOf } from "./result/parts.js";
import { renderText } from "./result/reading.js";
import { renderResult } from "./result/render.js";
import { badge } from "./result/scalar.js";
import { Show } from "./result/show.js";
import { renderValue } from "./result/value.js";
import { check } from "./schema/check.js";

/** Gives a part a place of its own where a test names none. @param {any} options */
function shown(options) {
  return options instanceof Show ? { show: options } : { show: new Show(), ...options };
}

export const kit = Object.freeze({
  Show,
  argumentsForm,
  badge,
  byteSize,
  card,
  /** @param {any} data @param {any} [options] @param {Show} [show] */
  chart: (data, options = {}, show = new Show()) => chart(data, options, show),
  check,
  date,
  /** @param {any} object @param {any} [options] */
  keyValue: (object, options) => keyValueOf(object, shown(options)),
  /** @param {string} text @param {any} [options] */
  markdown: (text, options) => markdown(text, shown(options)),
  number,
  partsOf,
  plural,
  renderResult,
  renderText,
  renderValue,
  speak,
  /** @param {any} rows @param {any} [options] */
  table: (rows, options) => tableOf(rows, shown(options)),
});
