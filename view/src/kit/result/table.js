import { button, el } from "../el.js";
import { nameWords, plural } from "../format.js";
import { own } from "../plain.js";
import { cell } from "./cell.js";
import { compareValues, matches } from "./order.js";
/** @import { Rows } from "./data.js" */
/** @import { Show } from "./value.js" */

const PAGE = 50;
const FILTER_FROM = 8;

/**
 * A table that sorts by a click on a header, filters, and pages.
 * @param {Rows} data
 * @param {Show} show
 * @param {string} caption for people who do not see it
 * @returns {HTMLElement}
 */
export function table({ rows, columns }, show, caption) {
  const state = { sort: "", down: false, filter: "", page: 0 };
  const numeric = new Set(columns.filter((name) => isNumeric(rows, name)));
  const heads = columns.map((name) => el("th", { scope: "col", class: numeric.has(name) ? "end" : undefined },
    button(nameWords(name) || "(no name)", () => sortBy(name), { title: name, dir: "auto" })));
  const body = el("tbody");
  const status = el("span", { class: "count", role: "status" });
  const pager = el("div", { class: "pager" });
  const scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": caption },
    el("table", null, el("caption", { class: "visually-hidden" }, caption), el("thead", null, el("tr", null, heads)), body));

  const sortBy = (/** @type {string} */ name) => {
    state.down = state.sort === name && !state.down;
    state.sort = name;
    state.page = 0;
    draw();
  };
  const turn = (/** @type {number} */ by) => {
    state.page += by;
    draw();
  };
  const draw = () => {
    const found = select(rows, columns, state);
    const start = state.page * PAGE;
    const visible = found.slice(start, start + PAGE);
    body.replaceChildren(...visible.map((row) => tableRow(row, columns, numeric, show)));
    heads.forEach((head, i) => head.setAttribute("aria-sort", columns[i] !== state.sort ? "none" : state.down ? "descending" : "ascending"));
    status.textContent = found.length === rows.length ? plural(rows.length, "row") : `${found.length} of ${plural(rows.length, "row")}`;
    pager.replaceChildren(...pagerButtons(start, found.length, turn));
  };
  draw();
  const filter = rows.length < FILTER_FROM ? null : filterBox((text) => {
    state.filter = text;
    state.page = 0;
    draw();
  });
  return el("div", { class: "table" }, el("div", { class: "table-bar" }, status, filter), scroller, pager);
}

/** @param {any[]} rows @param {string} name */
function isNumeric(rows, name) {
  const values = rows.slice(0, 100).map((row) => own(row, name)).filter((one) => one !== null && one !== undefined);
  return values.length > 0 && values.every((one) => typeof one === "number");
}

/** @param {any[]} rows @param {string[]} columns @param {{ sort: string, down: boolean, filter: string }} state */
function select(rows, columns, { sort, down, filter }) {
  const found = filter ? rows.filter((row) => columns.some((name) => matches(own(row, name), filter))) : [...rows];
  if (sort) found.sort((a, b) => compareValues(own(a, sort), own(b, sort)) * (down ? -1 : 1));
  return found;
}

/** @param {any} row @param {string[]} columns @param {Set<string>} numeric @param {Show} show */
function tableRow(row, columns, numeric, show) {
  return el("tr", null, columns.map((name) => el("td", { class: numeric.has(name) ? "end" : undefined }, cell(own(row, name), show))));
}

/** @param {(text: string) => void} apply */
function filterBox(apply) {
  const input = el("input", { type: "search", "aria-label": "Filter rows", placeholder: "Filter rows", autocomplete: "off" });
  input.addEventListener("input", () => apply(input.value.trim().toLowerCase()));
  return input;
}

/** @param {number} start @param {number} total @param {(by: number) => void} turn */
function pagerButtons(start, total, turn) {
  if (total <= PAGE) return [];
  const end = Math.min(start + PAGE, total);
  return [
    button("Previous", () => turn(-1), { class: "quiet small", disabled: start === 0 }),
    el("span", { class: "count" }, `${start + 1}\u2013${end} of ${total}`),
    button("Next", () => turn(1), { class: "quiet small", disabled: end >= total }),
  ];
}
