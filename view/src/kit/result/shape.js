import { instantOf } from "../instant.js";
import { el, stack } from "../el.js";
import {
  entriesOf,
  fromEntries,
  hasOwn,
  isArray,
  isBranch,
  isNothing,
  isPlain,
  isString,
  keysOf,
  max,
  min,
  own,
  plain,
  same,
  string,
} from "../plain.js";
import { heading } from "./card.js";
import { figure } from "./figures.js";
import { graph, graphKeys, placeKeys, points } from "./graph.js";
import { tellsApart } from "./naming.js";
import { looksFormatted } from "./recognise/layout.js";
import { facts, recordList, rolesOf } from "./records.js";
import { toneOf } from "./state.js";
import { renderPlain, renderValue } from "./value.js";
/** @import { Read } from "./records.js" */
/** @import { Rows } from "./recognise/rows.js" */
/** @import { Show } from "./show.js" */

/** Inside so many other things nothing has a shape of its own. */
const DEEPEST = 2;
const MOST_AMOUNTS = 2;
const MOST_BOARD = 4;
const MOST_EVENT = 8;
const WHAT = /^(message|subject|summary|event|title)$/i;
const WHO = /^(commit|author|sender|from|user|actor|sha|hash)$/i;
/** So many characters of a text are more than a cell of a table shows well. */
const PROSE = 40;
/** So many letters of a row fit beside each other. */
const WIDEST = 110;

const WHEN =
  /^(date|time|datetime|timestamp|ts|at|when|day|(created|started|published|sent|start)(_?(at|date|time))?)$/i;

/** Members that only exist to hold the answer. */
const HOLDERS =
  /^(\w+_)?(results?|data|content|text|output|response|items|values?|answer|body|records|rows|entries|list)$/i;
/** Members that say that the call went well, or how it was made. */
const FLAGS = /^(success|ok|successful)$/i;
const TECHNICAL =
  /^(timestamp|truncated|(took|elapsed)_?(ms)?|(request|trace|query)_?id|has_?more|(next_?)?cursor|offset|limit|page(_?size)?)$/i;
const DURATION = /^duration/i;

/**
 * The members of an object by the weight they have for a person.
 * @param {[string, any][]} entries @param {Show} show @param {number} depth
 * @returns {{ main: [string, any][], lesser: [string, any][], empty: [string, any][], isDone: boolean }} `lesser`: what is about the call,
 *   the names of a list's columns and where it is kept; what the line of the arguments says, how long a list is and that all went well is
 *   left out. `isDone`: whether a member says that all went well
 */
export function weighed(entries, show, depth) {
  const args = depth ? {} : show.args;
  const isDone = entries.some(isFlag);
  const lists = entries.filter(([, one]) => isArray(one));
  const isEcho = (/** @type {string} */ key, /** @type {any} */ one) =>
    hasOwn(args, key) && same(args[key], one);
  const isCount = (/** @type {string} */ key, /** @type {any} */ one) =>
    /count|total|length|^num_/i.test(key) &&
    lists.some(
      ([name, { length }]) =>
        length === one && (!lists[1] || key.toLowerCase().includes(name.slice(0, 4).toLowerCase())),
    );
  const isHead = (/** @type {string} */ key, /** @type {any} */ one) =>
    isArray(one)
      ? entries.some(
          ([, rows]) =>
            isArray(rows) && isPlain(rows[0]) && one.every((name) => isString(name) && hasOwn(rows[0], name)),
        )
      : /path$/i.test(key) &&
        isString(one) &&
        entries.some(([, rows]) => isArray(rows) && rows.some(isPlain));
  const isAside = (/** @type {[string, any]} */ [key, one]) =>
    !isNothing(one) &&
    (isCount(key, one) ||
      isHead(key, one) ||
      (isBranch(one) && /usage.ex|deprecat/i.test(key)) ||
      (!depth &&
        (isEcho(key, one) ||
          isFlag([key, one]) ||
          ((TECHNICAL.test(key) || (isDone && DURATION.test(key))) && !isBranch(one)))));
  const empty = entries.filter(([, one]) => isNothing(one));
  const main = entries.filter((entry) => !empty.includes(entry) && !isAside(entry));
  const isSaid = (/** @type {[string, any]} */ [key, one]) =>
    (isEcho(key, one) && !isBranch(one) && `${one}`.length <= PROSE) ||
    isCount(key, one) ||
    (!one && (TECHNICAL.test(key) || DURATION.test(key))) ||
    (isFlag([key, one]) && (one === true || one === 200 || FLAGS.test(one)));
  const lesser = entries.filter((entry) => isAside(entry) && !(main.length && isSaid(entry)));
  return main.length || empty.some(([, one]) => isArray(one))
    ? { main, lesser, empty, isDone }
    : { main: entries.filter(isAside), lesser: [], empty, isDone: false };
}

/** Whether a member only says that the call went well. @param {[string, any]} entry */
function isFlag([key, one]) {
  return FLAGS.test(key) ? one === true : key === "status" && (one === 200 || toneOf(one, key) === "good");
}

/** Whether a name only says that its value is the answer. @param {string} key */
export function isHolder(key) {
  return HOLDERS.test(key);
}

/**
 * A graph, with its lists beneath it.
 * @param {any} value @param {Show} show @param {string} title @param {number} depth
 * @returns {HTMLElement | undefined} undefined where the value is none
 */
export function shapedGraph(value, show, title, depth) {
  const keys = depth > DEEPEST ? undefined : graphKeys(value);
  if (!keys) return undefined;
  const rest = fromEntries(entriesOf(value).filter(([key]) => !keys.includes(key)));
  return stack(
    graph(keys[1] && value[keys[0]], value[keys[1] ?? keys[0]]),
    keys.map((key) =>
      el("section", heading(depth, show.label(key)), renderValue(value[key], show.at(key), key, DEEPEST + 1)),
    ),
    keysOf(rest).length > 0 && renderValue(rest, show, title, depth + 1),
  );
}

/**
 * Rows in the shape that they are: places, a timeline, a board of states, or records.
 * @param {Rows | undefined} data
 * @param {Show} show
 * @param {number} depth
 * @returns {HTMLElement | undefined} undefined where they are none of these
 */
export function shaped(data, show, depth) {
  if (!data || data.draw || depth > DEEPEST) return undefined;
  const asked = depth ? "" : show.kind;
  const roles = rolesOf(data);
  if (placeKeys(data.rows) && (data.rows.length > 1 || asked === "map"))
    return stack(
      points(data.rows),
      isRecords(data, roles)
        ? recordList(data, show, {}, depth)
        : renderPlain(data.rows, show, "Places", depth),
    );
  if (
    roles.date &&
    roles.title &&
    (asked === "timeline" || isTimeline(data, roles) || (data.rows.length < 2 && isEvent(data.rows[0])))
  )
    return recordList(data, show, { look: "timeline" }, depth);
  if (isBoard(data, roles)) return statusBoard(data, show, depth, roles);
  if (areClocks(data, roles)) return clocks(data, show, depth, roles);
  return isRecords(data, roles) ? recordList(data, show, {}, depth) : undefined;
}

/** Names with a state each, and little else. @param {Rows} data @param {Read} roles */
function isBoard({ rows, columns }, { title, badge = "", snippet, link, heavy }) {
  const tones = rows.map((row) => toneOf(own(row, badge), badge));
  return (
    rows.length > 1 &&
    !!title &&
    !snippet &&
    !link &&
    !heavy.length &&
    columns.length <= MOST_BOARD &&
    tones.every(Boolean) &&
    tones.some((tone) => tone !== "neutral")
  );
}

/**
 * Names with their states, beside each other.
 * @param {Rows} data @param {Show} show @param {number} depth @param {Read} roles
 * @returns {HTMLElement}
 */
function statusBoard(data, show, depth, roles) {
  return recordList(
    data,
    show,
    {
      badge: roles.badge,
      meta: data.columns.filter((key) => key !== roles.title && key !== roles.badge),
      look: "board",
    },
    depth,
  );
}

/** Two or three things with a name and a time of day each, and little else. @param {Rows} data @param {Read} roles */
function areClocks({ rows, columns }, { title, date = "", isNamed, amounts, heavy }) {
  return (
    !!rows[1] &&
    !rows[3] &&
    title &&
    isNamed &&
    columns.length < MOST_EVENT &&
    !(amounts[0] ?? heavy[0]) &&
    rows.every((row) => instantOf(own(row, date), date)?.timed)
  );
}

/**
 * Things with their times, beside each other.
 * @param {Rows} data @param {Show} show @param {number} depth @param {Read} roles
 */
function clocks({ rows, columns }, show, depth, { title = "", date = "" }) {
  const others = columns.filter((key) => key !== title && key !== date);
  return el(
    "ul.records.board",
    rows.map((row) =>
      el(
        "li",
        heading(depth, show.label(`${row[title]}`)),
        el("p", figure(row[date], show.at("time"))),
        facts(others, row, show.at(0), true),
      ),
    ),
  );
}

/** Whether an object tells of one thing that happened: when, what and who. @param {any} value */
export function isEvent(value) {
  const keys = keysOf(plain(value));
  const has = (/** @type {RegExp} */ names) => keys.some((key) => names.test(key) && isString(value[key]));
  return (
    keys.length < MOST_EVENT &&
    keys.some((key) => WHEN.test(key) && instantOf(value[key], key)) &&
    has(WHAT) &&
    has(WHO) &&
    !keys.some((key) => isBranch(value[key]))
  );
}

/** Records in the order of their days, told in words. @param {Rows} data @param {Read} roles */
function isTimeline({ rows, columns }, { date = "", title = "", amounts, link, heavy }) {
  const times = rows.map((row) => instantOf(own(row, date), date)?.at ?? NaN);
  const isOrdered = (/** @type {number} */ sign) =>
    times.every((at, i) => !i || (at - times[i - 1]) * sign >= 0);
  return (
    rows.length > 1 &&
    columns.length <= MOST_EVENT &&
    WHEN.test(date) &&
    !amounts.length &&
    !link &&
    !heavy.length &&
    (isEvent(rows[0]) || rows.some((row) => /\s/.test(`${own(row, title)}`))) &&
    (isOrdered(1) || isOrdered(-1))
  );
}

/** About how many letters a row of a table would hold. @param {any[]} rows @param {string[]} columns */
function widthOf(rows, columns) {
  const sizes = columns.map((key) =>
    rows.slice(0, MOST_EVENT).reduce((most, row) => max(most, `${own(row, key) ?? ""}`.length), key.length),
  );
  return sizes.reduce((sum, size) => sum + min(size, PROSE) + 3, 0);
}

/** Things with a name and more to say than a row of a table holds. @param {Rows} data @param {Read} roles */
function isRecords({ rows, columns }, { title, isNamed, snippet = "", link, badge, heavy, amounts }) {
  if (rows.length < 2 && heavy.length === 1 && looksFormatted(string(own(rows[0], heavy[0])))) return false;
  const words = rows.reduce((sum, row) => sum + `${own(row, snippet) ?? ""}`.length, 0);
  if (
    title &&
    !isNamed &&
    columns.length > 4 &&
    amounts.length <= MOST_AMOUNTS &&
    widthOf(rows, columns) > WIDEST
  )
    return true;
  return (
    !!title &&
    (isNamed || !!badge) &&
    columns.length > 1 &&
    amounts.length <= MOST_AMOUNTS &&
    (words > PROSE * rows.length || (!!link && !tellsApart(title)) || heavy.some((key) => key !== title))
  );
}
