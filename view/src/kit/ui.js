import { el } from "./el.js";
import { date, number } from "./format.js";
import { chart } from "./result/chart/chart.js";
import { card, keyValueOf, tableOf } from "./result/parts.js";
import { badge } from "./result/scalar.js";
/** @import { Wish } from "./result/chart/asked.js" */
/** @import { ColumnChoice } from "./result/parts.js" */
/** @import { Show } from "./result/show.js" */
/** @import { Outcome } from "./result/outcome.js" */

/**
 * @typedef {object} Asking what a view asks of its host
 * @property {(tool: string, args?: object) => Promise<Outcome>} call calls a tool; rejects with a readable message
 * @property {(url: string) => Promise<unknown>} openLink
 * @property {(text: string) => Promise<unknown>} tellModel lets the model in the chat know something
 * @property {(name: string, content: string | Blob, type?: string) => Promise<unknown>} download saves a file
 */

/**
 * The kit as it is promised to whoever writes a view: these names and no others. The prompts tell
 * a model of each of them.
 * @param {(part: string) => Show} showFor how a part of the view is shown
 * @param {Asking} asking
 */
export function uiOf(showFor, { call, openLink, tellModel, download }) {
  return {
    el, card, badge, number, date, call, openLink, tellModel, download,
    /** @param {unknown} rows @param {{ columns?: (string | ColumnChoice)[], caption?: string }} [options] */
    table: (rows, options) => tableOf(rows, { ...options, show: showFor("table") }),
    /** @param {unknown} points @param {Wish & { title?: string, unit?: string }} [options] */
    chart: (points, options) => chart(points, options ?? {}, showFor("chart")),
    /** @param {unknown} object @param {{ labels?: Record<string, string> }} [options] */
    keyValue: (object, options) => keyValueOf(object, { ...options, show: showFor("names") }),
  };
}
