import { instantOf } from "../instant.js";
import { hasOwn, isArray, isBranch, isNothing, isString, keysOf, own, plain, same } from "../plain.js";
import { tellsApart } from "./naming.js";
import { recordList, rolesOf } from "./records.js";
import { toneOf } from "./state.js";
/** @import { Read } from "./records.js" */
/** @import { Rows } from "./recognise/rows.js" */
/** @import { Show } from "./show.js" */

/** Inside so many other things nothing has a shape of its own. */
const DEEPEST = 2;
const MOST_AMOUNTS = 2;
const MOST_EVENT = 8;
const WHAT = /^(message|subject|summary|event|title)$/i;
const WHO = /^(commit|author|sender|from|user|actor|sha|hash)$/i;
/** So many characters of a text are more than a cell of a table shows well. */
const PROSE = 40;

const WHEN = /^(date|time|datetime|timestamp|ts|at|when|day|(created|started|published|sent|start)(_?(at|date|time))?)$/i;

/** Members that only exist to hold the answer. */
const HOLDERS = /^(\w+_)?(results?|data|content|text|output|response|items|values?|answer|body|records|rows|entries|list)$/i;
/** Members that say that the call went well, or how it was made. */
const FLAGS = /^(success|ok|successful)$/i;
const TECHNICAL = /^(timestamp|truncated|(took|elapsed)_?(ms)?|(request|trace|query)_?id|has_?more|(next_?)?cursor|offset|limit|page(_?size)?)$/i;

/**
 * The members of an object by the weight they have for a person.
 * @param {[string, any][]} entries @param {Show} show @param {number} depth
 * @returns {{ main: [string, any][], aside: [string, any][], empty: [string, any][] }} `aside`: what the arguments or a list's
 *   length say already, and what is about the call
 */
export function weighed(entries, show, depth) {
  const args = depth ? {} : show.args;
  const lengths = entries.map(([, one]) => isArray(one) ? one.length : NaN);
  const isEcho = (/** @type {string} */ key, /** @type {any} */ one) => hasOwn(args, key) && same(args[key], one);
  const isCount = (/** @type {string} */ key, /** @type {any} */ one) => /count|total|length|^num_/i.test(key) && lengths.includes(one);
  const isAside = (/** @type {[string, any]} */ [key, one]) => !isNothing(one) && (isCount(key, one) || (!depth && (isEcho(key, one) || isFlag([key, one]) || (TECHNICAL.test(key) && !isBranch(one)))));
  const empty = entries.filter(([, one]) => isNothing(one));
  const main = entries.filter((entry) => !empty.includes(entry) && !isAside(entry));
  const aside = entries.filter(isAside);
  return main.length || empty.some(([, one]) => isArray(one)) ? { main, aside, empty } : { main: aside, aside: [], empty };
}

/** Whether a member only says that the call went well. @param {[string, any]} entry */
export function isFlag([key, one]) {
  return FLAGS.test(key) ? one === true : key === "status" && (one === 200 || toneOf(one, key) === "good");
}

/** Whether a name only says that its value is the answer. @param {string} key */
export function isHolder(key) {
  return HOLDERS.test(key);
}

/**
 * Rows in the shape that they are: a timeline, or records.
 * @param {Rows | undefined} data
 * @param {Show} show
 * @param {number} depth
 * @returns {HTMLElement | undefined} undefined where they are neither
 */
export function shaped(data, show, depth) {
  if (!data || data.draw || depth > DEEPEST) return undefined;
  const wish = depth ? "" : show.kind;
  const roles = rolesOf(data);
  if (roles.date && roles.title && (wish === "timeline" || isTimeline(data, roles) || (data.rows.length < 2 && isEvent(data.rows[0])))) return recordList(data, show, { look: "timeline" }, depth);
  return isRecords(data, roles) ? recordList(data, show, {}, depth) : undefined;
}

/** Whether an object tells of one thing that happened: when, what and who. @param {any} value */
export function isEvent(value) {
  const keys = keysOf(plain(value));
  const has = (/** @type {RegExp} */ names) => keys.some((key) => names.test(key) && isString(value[key]));
  return keys.length < MOST_EVENT && keys.some((key) => WHEN.test(key) && instantOf(value[key], key)) && has(WHAT) && has(WHO) && !keys.some((key) => isBranch(value[key]));
}

/** Records in the order of their days, told in words. @param {Rows} data @param {Read} roles */
function isTimeline({ rows, columns }, { date = "", title = "", amounts, link, heavy }) {
  const times = rows.map((row) => instantOf(own(row, date), date)?.at ?? NaN);
  const isOrdered = (/** @type {number} */ sign) => times.every((at, i) => !i || (at - times[i - 1]) * sign >= 0);
  return rows.length > 1 && columns.length <= MOST_EVENT && WHEN.test(date) && !amounts.length && !link && !heavy.length
    && (isEvent(rows[0]) || rows.some((row) => /\s/.test(`${own(row, title)}`))) && (isOrdered(1) || isOrdered(-1));
}

/** Things with a name and more to say than a row of a table holds. @param {Rows} data @param {Read} roles */
function isRecords({ rows, columns }, { title, isNamed, snippet = "", link, badge, heavy, amounts }) {
  const words = rows.reduce((sum, row) => sum + `${own(row, snippet) ?? ""}`.length, 0);
  return !!title && (isNamed || !!badge) && columns.length > 1 && amounts.length <= MOST_AMOUNTS && (words > PROSE * rows.length || (!!link && !tellsApart(title)) || heavy.some((key) => key !== title));
}
