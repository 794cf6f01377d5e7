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

export const kit = Object.freeze({
  Show,
  argumentsForm,
  badge,
  byteSize,
  card,
  chart,
  check,
  date,
  keyValue: keyValueOf,
  markdown,
  number,
  partsOf,
  plural,
  renderResult,
  renderText,
  renderValue,
  speak,
  table: tableOf,
});
