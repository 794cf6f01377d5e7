import { button, el } from "../el.js";
import { plural } from "../format.js";
import { ceil, entriesOf, fromEntries, isArray, isBranch, isString, keysOf, min, own, same } from "../plain.js";
import { cell } from "./cell.js";
import { evidenceIn } from "./chart/chart.js";
import { areOthers } from "./naming.js";
import { isBig } from "./nested.js";
import { was } from "./table/rows.js";
import { renderValue } from "./value.js";
/** @import { Child } from "../el.js" */
/** @import { Plain } from "../plain.js" */
/** @import { Show } from "./show.js" */

const MAX_LINES = 60;
const MAX_SECTIONS = 40;
const MAX_DEPTH = 3;
/** With so many lines before it a section begins closed. */
const ROOM = 100;

/**
 * The members of an object: short ones as names and values, big ones as sections that fold.
 * @param {Plain} value
 * @param {Show} show
 * @param {number} depth sections inside sections, 0 at the top
 * @returns {HTMLElement | undefined} undefined when there are too many
 */
export function members(value, show, depth) {
  const isSection = (/** @type {[string, any]} */ [, one]) => depth < MAX_DEPTH && isBig(one);
  const entries = entriesOf(value);
  const sections = entries.filter(isSection);
  const lines = entries.filter((entry) => !isSection(entry));
  if (lines.length > MAX_LINES || sections.length > MAX_SECTIONS) return undefined;
  let room = ROOM;
  return el("div.stack", lines.length > 0 && keyValue(lines, show), sections.map(([name, one]) => {
    const open = room > 0;
    room -= linesOf(one);
    return section(name, one, show, depth, open);
  }));
}

/** About how many lines a value takes. @param {any} value @returns {number} */
function linesOf(value) {
  if (isString(value)) return value.length / 80;
  if (isArray(value)) return min(value.length, 50);
  return isBranch(value) ? keysOf(value).reduce((sum, key) => sum + linesOf(value[key]), 1) : 1;
}

/**
 * A heading that is a button, and what it opens, made when it is first open.
 * @param {string} name @param {any} value @param {Show} show @param {number} depth
 * @param {boolean} open while nobody has touched it
 */
function section(name, value, show, depth, open) {
  const inner = show.at(name);
  const kept = inner.remember("section", { open: /** @type {boolean | undefined} */ (undefined) });
  const words = show.label(name);
  const body = el("div");
  const set = (/** @type {boolean} */ on) => {
    if (on && !body.hasChildNodes()) body.append(renderValue(value, inner, words, depth + 1));
    body.hidden = !on;
    count.hidden = on;
    toggle.ariaExpanded = `${on}`;
  };
  const count = el("span.count", isArray(value) && plural(value.length, "entry", "entries"));
  const toggle = button(words, () => set(kept.open = body.hidden === true), { class: "opener", title: show.describe(name) || name });
  set(kept.open ?? open);
  return el("section", el("div.inline", heading(depth, toggle), count), body);
}

/** @param {number} depth @param {Child} words */
export function heading(depth, words) {
  return el(`h${min(6, 3 + depth)}`, words);
}

/**
 * Names and values beneath each other; a value that was another one in the run before says so.
 * @param {[string, any][]} entries
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function keyValue(entries, show) {
  const now = fromEntries(entries);
  const kept = show.remember(`lines ${keysOf(now).sort().join("\n")}`, { before: now });
  const before = changedCalmly(kept.before, now);
  kept.before = now;
  return el("dl", entries.map(([name, value]) => el("div",
    el("dt", { title: show.describe(name) || name }, show.label(name)),
    el("dd", cell(value, show.at(name), true), before && !same(own(before, name), value) && [" ", el("span.was", was(own(before, name), show.at(name)))]))));
}

/** What was before, unless it was another thing or most of it is different. @param {Plain} before @param {Plain} now */
function changedCalmly(before, now) {
  const keys = keysOf(now);
  const changed = keys.filter((key) => !same(own(before, key), now[key]));
  return changed.length <= ceil(keys.length / 2) && !areOthers(before, now) ? before : undefined;
}
