import { el, note, stack } from "../el.js";
import { number } from "../format.js";
import {
  entriesOf,
  fromEntries,
  hasOwn,
  isBranch,
  isPlain,
  isString,
  keysOf,
  list,
  own,
  plain,
} from "../plain.js";
import { members } from "./card.js";
import { cell, entries, plainList, separator } from "./cell.js";
import { chartFor, evidenceIn } from "./chart/chart.js";
import { settingsOf } from "./chart/options.js";
import { hero } from "./figures.js";
import { keptFold } from "./fold.js";
import { graph, placeKeys } from "./graph.js";
import { identify } from "./naming.js";
import { isBig } from "./nested.js";
import { renderText } from "./reading.js";
import { asMeant } from "./recognise/meant.js";
import { rowsOf } from "./recognise/rows.js";
import { isEvent, shaped, shapedGraph } from "./shape.js";
import { table } from "./table/table.js";
import { jsonTree } from "./tree.js";
/** @import { Rows } from "./recognise/rows.js" */
/** @import { Show } from "./show.js" */

const MAX_LIST = 60;
/** A single column of fewer values is a list. */
const FEW = 8;
/** Fewer numbers than this stand as one answer. */
const FEWEST = 4;

/**
 * Shows a JSON value by what it is: chart, table, cards, names and values, list, tree or text.
 * @param {any} value
 * @param {Show} show
 * @param {string} [title]
 * @param {number} [depth] sections inside sections, 0 at the top
 * @returns {HTMLElement}
 */
export function renderValue(value, show, title = "Result", depth = 0) {
  value = asMeant(value);
  // One cell, without a name.
  if (list(value).length === 1 && list(value[0]).length === 1) value = value[0][0];
  if (!isBranch(value)) return renderPlain(value, show, title, depth);
  const rows = rowsOf(value);
  const evidence = evidenceIn(value, show, rows);
  const charted = () => evidence && chartFor(evidence, value, show, title, depth);
  const shape = () =>
    shaped(rows ?? (isEvent(value) ? { rows: [value], columns: keysOf(value) } : undefined), show, depth);
  const special = shapedGraph(value, show, title, depth) ?? drawnSettings(value, show, title, depth);
  if (special) return special;
  return (
    (evidence?.strong && !placeKeys(rows?.rows ?? []) && !(show.kind && !depth)
      ? charted()
      : (shape() ?? charted())) ?? renderPlain(value, show, title, depth)
  );
}

/**
 * The chart that settings describe, with the settings folded beneath it.
 * @param {any} value @param {Show} show @param {string} title @param {number} depth
 */
function drawnSettings(value, show, title, depth) {
  const settings = settingsOf(value);
  return (
    settings &&
    stack(
      "edges" in settings ? graph([], settings.edges) : chartFor(settings, value, show, title),
      keptFold(show.at("settings"), "Settings of the chart", () => [
        renderPlain(value, show, title, depth + 1),
      ]),
    )
  );
}

/**
 * The same without a chart.
 * @param {any} value @param {Show} show @param {string} title @param {number} [depth]
 * @returns {HTMLElement}
 */
export function renderPlain(value, show, title, depth = 0) {
  if (isString(value)) return renderText(value, show, { level: 3 + depth });
  if (!isBranch(value)) return el("p.scalar", cell(value, show, true));
  if (!keysOf(value).length) return note(isPlain(value) ? "Empty object" : "Empty list");
  const rows = rowsOf(value);
  if (rows) return renderRows(rows, show, title, depth);
  const named = namedRows(value, show);
  if (named) return shaped(named, show, depth) ?? renderRows(named, show, title, depth);
  return (
    (isPlain(value) ? members(value, show, depth) : fewValues(value, show, depth)) ??
    longList(value, show, title) ??
    jsonTree(value, show)
  );
}

/**
 * A table, where there is something to compare: a single row, or a single column of a few, reads
 * better as names and values, and long texts as cards.
 * @param {Rows} data @param {Show} show @param {string} title @param {number} [depth]
 * @returns {HTMLElement}
 */
export function renderRows(data, show, title, depth = 0) {
  const {
    rows,
    columns: [first, ...others],
    draw,
    isGrid,
  } = data;
  const isTable = draw || isGrid;
  const values = rows.map((row) => own(row, first));
  const isName = !others.length && isString(values[0]) && !values.some(isBig);
  if (!isTable && rows.length === 1 && !isName)
    return renderValue(
      fromEntries(
        entriesOf(rows[0]).filter(([key, one]) => one !== 1 || !/^(rank|index|position)$/i.test(key)),
      ),
      show.at(identify(rows, data.columns).ids[0], show.at(0).schema),
      title,
      depth,
    );
  if (!isTable && !others.length && rows.length < FEW && !values.some(isBig))
    return renderValue(fromEntries([[first, values]]), show.at(0), title, depth);
  return table(data, show, title, { small: depth > 2 });
}

/**
 * The members of an object as rows with names, where each of them is an object and they have much in common.
 * @param {any} value @param {Show} show @returns {Rows | undefined}
 */
function namedRows(value, show) {
  const entries = entriesOf(plain(value));
  const [[, first] = []] = entries;
  const isAlike = (/** @type {any} */ one) =>
    isPlain(one) &&
    !("name" in one) &&
    keysOf(one).filter((key) => hasOwn(first, key)).length * 2 > keysOf(one).length;
  if (entries.length < 2 || !isPlain(first) || !entries.every(([, one]) => isAlike(one))) return undefined;
  const rows = entries.map(([name, one]) => ({ name: show.label(name), ...one }));
  return { rows, columns: keysOf(Object.assign({}, ...rows)), isOpen: true };
}

/** @param {any[]} value @param {Show} show @param {number} depth */
function fewValues(value, show, depth) {
  if (value.length > MAX_LIST || value.some(isBranch)) return undefined;
  if (value.length < 2 && isBig(value[0])) return renderText(value[0], show.at(0), { level: 3 + depth });
  if (
    !depth &&
    /^\d*$/.test(show.name) &&
    value.length <= FEWEST &&
    value.every((one) => /^-?[\d./]{1,12}$/.test(one))
  ) {
    const words = value.map((one) => number(one));
    return hero(words.join(separator(words)), {}, show);
  }
  return plainList(entries(value, show));
}

/** Too many plain values to read one by one: a table, which can be searched. @param {any} value @param {Show} show @param {string} title */
function longList(value, show, title) {
  const entries = entriesOf(value);
  if (entries.some(([, one]) => isBranch(one))) return undefined;
  const rows = entries.map(([name, one]) => ({ name, value: one }));
  return table({ rows, columns: isPlain(value) ? ["name", "value"] : ["value"] }, show.at(title, {}), title);
}
