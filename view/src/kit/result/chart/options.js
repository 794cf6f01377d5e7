import { fromEntries, isArray, isPlain, list, plain, string } from "../../plain.js";
import { columnOf } from "./columns.js";
/** @import { Plain } from "../../plain.js" */
/** @import { Evidence } from "./evidence.js" */

/** What libraries for charts call kinds of lines, and a whole and its parts. */
const [LINES, PARTS] = [/^(line|area|scatter|point)$/, /^(pie|doughnut|arc)$/];
/** A kind that has another name here. @type {Record<string, string>} */
const LOOKS = { point: "scatter", pie: "donut", doughnut: "donut", arc: "donut" };

/**
 * Reads the settings of a chart, as ECharts, Chart.js and Vega-Lite take them.
 * @param {any} value
 * @returns {Evidence | { edges: { source: any, target: any }[] } | undefined} what they draw, a tree as its edges; undefined for everything else
 */
export function settingsOf(value) {
  const { series, xAxis, yAxis, data, mark, encoding, type } = plain(value);
  const { labels, datasets, values } = plain(data);
  const [first] = list(series).map(plain);
  if (first?.type === "tree") return { edges: list(first.data).flatMap(edgesOf) };
  const { x, y, theta, color } = plain(encoding);
  if (mark && isArray(values))
    return drawn(plain(mark).type ?? mark, values, plain(x ?? color).field, [plain(y ?? theta).field]);
  if (!isArray(first?.data) && !list(datasets).length) return undefined;
  const all = first ? series : datasets;
  const along = first
    ? [xAxis, yAxis]
        .flat()
        .map((axis) => plain(axis).data)
        .find(isArray)
    : labels;
  const names = all.map(
    (/** @type {any} */ one, /** @type {number} */ i) =>
      one.name ?? one.label ?? (i ? `Series ${i + 1}` : "Value"),
  );
  const rows = list(all[0].data).map((one, i) =>
    fromEntries([
      ["name", along?.[i] ?? part(one, "name", 0) ?? i + 1],
      ...names.map((/** @type {string} */ name, /** @type {number} */ s) => [
        name,
        part(all[s].data?.[i], "value", 1) ?? all[s].data?.[i],
      ]),
    ]),
  );
  return drawn(first ? first.type : type, rows, "name", names);
}

/** @param {unknown} type @param {any[]} rows @param {string} over @param {string[]} names of the amounts @returns {Evidence | undefined} */
function drawn(type, rows, over, names) {
  const kind = string(type);
  const isLine = LINES.test(kind);
  const series = names.map((name) => columnOf(rows, name));
  return rows.length &&
    (isLine || kind === "bar" || PARTS.test(kind)) &&
    series.every((one) => one.kind === "number")
    ? {
        type: isLine ? "line" : "bar",
        look: LOOKS[kind] ?? kind,
        strong: true,
        x: columnOf(rows, over),
        series,
        rows,
      }
    : undefined;
}

/** What a point has beside its amount, or that; undefined where it is a number. @param {any} one @param {string} name @param {number} place */
function part(one, name, place) {
  return isPlain(one) ? one[name] : isArray(one) ? one[place] : undefined;
}

/** The edges of a tree whose nodes have names and children. @param {Plain} node @returns {{ source: any, target: any }[]} */
function edgesOf({ name: source, children }) {
  return list(children).flatMap((child) => [{ source, target: child.name }, ...edgesOf(child)]);
}
