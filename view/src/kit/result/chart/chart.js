import { el } from "../../el.js";
import { isPlain, plain } from "../../plain.js";
/** @import { Show } from "../show.js" */
import { renderPlain } from "../value.js";
import { askedFor } from "./asked.js";
import { evidenceOf } from "./evidence.js";
import { chartFigure, sparkline } from "./figure.js";
import { plotted } from "./plotted.js";
/** @import { Rows } from "../data.js" */
/** @import { Asked } from "./asked.js" */
/** @import { Evidence } from "./evidence.js" */

/**
 * A chart of a value, with its plain form behind a button.
 * @param {Evidence} evidence that it is one
 * @param {any} value
 * @param {Show} show
 * @param {string} title of the value, for people who do not see it
 * @param {number} [depth] sections inside sections
 * @returns {HTMLElement}
 */
export function chartFor(evidence, value, show, title, depth) {
  return figure(evidence, show, title, () => renderPlain(evidence.rows ?? value, show, title, depth));
}

/** Whether a value is a chart, and which. @param {any} value @param {Show} show @param {Rows} [table] that the value is */
export function evidenceIn(value, show, table) {
  const { additionalProperties, properties } = plain(show.schema);
  return evidenceOf(value, { name: show.name, table, isMap: isPlain(additionalProperties) && !properties });
}

/**
 * The chart that a view asks for; a table where there are no numbers to draw.
 * @param {any} data rows, an object of labels and numbers, a list of numbers or of pairs
 * @param {Asked & { title?: string, unit?: string }} options columns, a heading, and the unit of all amounts as people write it
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function chart(data, { title = "", unit, ...asked }, show) {
  const evidence = askedFor(data, asked);
  const asTable = () => renderPlain(evidence?.rows ?? data, show, title || "Chart");
  if (evidence?.look === "sparkline")
    return el("span", sparkline(plotted(evidence, show, title || "Value", unit ?? ""), title || "Value"));
  return evidence
    ? figure({ ...evidence, strong: true }, show, title || "Value", asTable, title, unit)
    : asTable();
}

/** @param {Evidence} evidence @param {Show} show @param {string} title @param {() => Node} asTable @param {string} [heading] @param {string} [unit] */
function figure(evidence, show, title, asTable, heading, unit = "") {
  const { x, series, strong } = evidence;
  const data = plotted(evidence, show, title, unit);
  const state = show.remember(`chart ${[x, ...series].map(({ name }) => name)}`, { asTable: !strong });
  return chartFigure(
    data,
    state,
    heading ?? ((series.length > 1 && !series[0].label) || data.caption === title ? "" : data.caption),
    asTable,
  );
}
