import { plural } from "../format.js";
import { keysOf, max, min } from "../plain.js";
import { makeFrame } from "./field.js";
import { rowSet } from "./row-set.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look, Problem } from "./field.js" */
/** @import { Row } from "./row.js" */

const MAX_ROWS = 200;
const MAX_START = 10;
/** Where no value is: a key is asked for beside its value. */
const NO_PLACE = -1;

/**
 * @typedef {object} RowWays
 * @property {boolean} keyed whether a row has a key
 * @property {number | undefined} least
 * @property {number | undefined} most
 * @property {(rows: Row[], problems: Problem[]) => any} read
 * @property {(value: any) => [string, any][]} entries
 * @property {(value: any, more: [string, any][]) => any} join puts entries behind
 * @property {(row: Row) => string | number} key where its value was in what was read last
 * @property {(value: any) => boolean} accepts
 *
 * A value of any number of entries, with a row for each.
 * @param {FieldSpec} spec @param {Look} look @param {RowWays} ways
 * @returns {Field}
 */
export function rowsField(spec, look, { keyed, least, most, read, entries, join, key, accepts }) {
  let { label } = spec;
  /** What there are no rows for. @type {[string, any][]} */
  let beyond = [];
  let given = false;
  const number = () => set.number(label, set.rows.length + beyond.length >= min(MAX_ROWS, most ?? MAX_ROWS));
  const set = rowSet(spec, keyed, number);
  const start = () => {
    const wanted = spec.required ? min(least ?? 1, MAX_START) : 1;
    for (let left = startsOpen(spec) ? max(1, wanted) : 0; left > 0; left--) set.add();
  };
  const frame = makeFrame(spec, look, set.elements, {
    read(problems) {
      const value = join(read(set.rows, problems), beyond);
      return keysOf(value).length || spec.required || given ? value : undefined;
    },
    write(value) {
      set.clear();
      const all = entries(value);
      given = value !== undefined && value !== null && !all.length;
      for (const [name, one] of all.slice(0, MAX_ROWS)) set.add().write(name, one);
      beyond = all.slice(MAX_ROWS);
      set.say(
        beyond.length
          ? `${plural(beyond.length, "more entry", "more entries")} without a row, sent as they are.`
          : "",
      );
      if (!all.length) start();
      number();
    },
    children: () =>
      set.rows.flatMap(
        (row) =>
          /** @type {[string | number, Field][]} */ ([
            [key(row), row.field],
            ...(row.naming ? [[NO_PLACE, row.naming]] : []),
          ]),
      ),
    accepts,
  });
  const { rename } = frame;
  frame.rename = (text) => {
    label = text;
    rename(text);
    number();
  };
  start();
  number();
  return frame;
}

/** Whether an empty list shows a row: not for objects deep inside, which would unfold without end. @param {FieldSpec} spec */
function startsOpen({ name, item }) {
  return (
    name !== "" && (!/^(group|variants|list|map|tuple)$/.test(item?.kind ?? "") || name.split(".").length < 3)
  );
}
