import { el, inLine, note } from "../../el.js";
import { number, plural } from "../../format.js";
import { floor, max, min } from "../../plain.js";
import { identify } from "../naming.js";
import { changesSince } from "./changes.js";
import { columnMenu, columnsOf, leastFilled } from "./columns.js";
import { headRow } from "./heads.js";
import { rowOrder } from "./order.js";
import { rowMaker } from "./rows.js";
import { spreadColumns } from "./spread.js";
import { copyButtons, filterBox, pager } from "./tools.js";
/** @import { Rows } from "../recognise/rows.js" */
/** @import { Show } from "../show.js" */
/** @import { Changes, Known } from "./changes.js" */
/** @import { Column } from "./columns.js" */

/**
 * @typedef {object} Kept what a person did to a table, and what was in it
 * @property {string} sort key of the column that orders the rows, or ""
 * @property {number} sign 1 upwards, -1 downwards
 * @property {string} filter
 * @property {number} start place of the page's first row among those found
 * @property {Set<string>} hidden keys of columns
 * @property {Set<string>} open cells that are open
 * @property {Known} [known] the rows of the last run
 * @property {Changes} [changes] what was new in them
 */

const PAGE = 50;
/** With this many cells a page stays below 2,000 elements. */
const MAX_CELLS = 800;
const MIN_PAGE = 10;
const FILTER_FROM = 8;
const MENU_FROM = 3;
/** So few rows of so many columns stand beneath each other where they do not fit. */
const [FEW_ROWS, MANY_COLUMNS] = [6, 4];

/**
 * A table that sorts by a click on a header, filters, pages, leaves out columns, and can be copied.
 * What a person did to it is kept for the next rows with the same columns in its place.
 * @param {Rows} data
 * @param {Show} show
 * @param {string} caption for people who do not see it
 * @param {{ small?: boolean, columns?: Column[] }} [options] small: inside something else, so without menu and copying, which few rows are without too
 * @returns {HTMLElement}
 */
export function table(
  { rows, columns: keys, draw: drawn },
  show,
  caption,
  { small = false, columns = spreadColumns(columnsOf(rows, keys, show.at(0), drawn), rows, show.at(0)) } = {},
) {
  const state = show.remember(
    `table ${keys.toSorted().join("\n")}`,
    /** @type {Kept} */ ({
      sort: "",
      sign: 1,
      filter: "",
      start: 0,
      hidden: new Set(
        leastFilled(
          rows,
          columns.map(({ key }) => key),
        ),
      ),
      open: new Set(),
    }),
  );
  const known = { rows, ...identify(rows, keys) };
  // The same rows drawn again are no new run.
  const changes = (state.known?.rows === rows && state.changes) || changesSince(state.known, known, keys);
  Object.assign(state, { known, changes });

  const order = rowOrder(rows);
  const isShort = rows.length <= FEW_ROWS && columns.length >= MANY_COLUMNS;
  const makeRow = rowMaker({ ...known, show, changes, open: state.open, isShort });
  /** Places of the rows that match, in order. @type {number[]} */
  let found = [];
  /** @type {Column[]} */
  let shown = [];
  const shownKeys = () => shown.map(({ key }) => key);

  const draw = () => {
    const page = pageAt(state.start, shown.length, found.length);
    state.start = page.start;
    body.replaceChildren(...found.slice(page.start, page.end).map((place) => makeRow(place, shown)));
    heads.update(shown);
    count.textContent = countWords(found.length, rows.length, changes.words);
    nothing.hidden = found.length > 0;
    pages.update(page);
  };
  const change = (/** @type {Partial<Kept>} */ by = {}) => {
    Object.assign(state, by);
    shown = columns.filter(({ key }) => !state.hidden.has(key));
    found = order.find(state.filter, shownKeys());
    if (state.sort) found = order.sort(found, state.sort, state.sign);
    draw();
  };
  const turn = (/** @type {number} */ start) => {
    state.start = start;
    draw();
    scroller.scrollTop = 0;
  };

  const heads = headRow(columns, state, (by) => change({ ...by, start: 0 }));
  const body = el("tbody");
  const count = el("span.count", { role: "status" });
  const nothing = note("No row matches.");
  const pages = pager(turn);
  const scroller = el(
    "div.scroller",
    { tabindex: 0, role: "group", "aria-label": caption },
    el(isShort ? "table.few" : "table", el("caption.unseen", caption), el("thead", heads.element), body),
  );
  const filter =
    (rows.length >= FILTER_FROM || state.filter) &&
    filterBox(state.filter, (text) => change({ filter: text, start: 0 }));
  // Beside few rows, tools are louder than what they are for.
  const few = small || rows.length < FILTER_FROM;
  const [menu, choices] =
    columns.length >= MENU_FROM && !small && (!few || state.hidden.size)
      ? columnMenu(columns, state.hidden, change)
      : [];
  const copying =
    !few &&
    copyButtons(
      show,
      () => [found.map((place) => rows[place]), shownKeys()],
      (words) => {
        count.textContent = words;
      },
    );
  change();
  return el(
    "div.table",
    (filter || menu || changes.words) && inLine(count, filter, el("span.bar", menu, copying)),
    choices,
    scroller,
    nothing,
    pages.element,
  );
}

/**
 * @typedef {{ start: number, end: number, size: number, total: number }} Page
 * @param {number} start a place on it
 * @param {number} columns wide tables have shorter pages
 * @param {number} total rows
 * @returns {Page}
 */
function pageAt(start, columns, total) {
  const size = max(MIN_PAGE, min(PAGE, floor(MAX_CELLS / columns)));
  const number = floor(max(0, min(start, total - 1)) / size);
  return { start: number * size, end: min(total, (number + 1) * size), size, total };
}

/** @param {number} found @param {number} all @param {string} changes */
function countWords(found, all, changes) {
  const rows = plural(all, "row");
  return [found < all ? `${number(found)} of ${rows}` : all < FILTER_FROM && !changes ? "" : rows, changes]
    .filter(Boolean)
    .join(" \u00b7 ");
}
