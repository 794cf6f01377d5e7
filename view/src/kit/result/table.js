import { button, el, quietButton } from "../el.js";
import { plural } from "../format.js";
import { asText, own } from "../plain.js";
import { cell } from "./cell.js";
/** @import { Rows } from "./data.js" */
/** @import { Show } from "./show.js" */

const PAGE = 50;
const FILTER_FROM = 8;

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/**
 * A table that sorts by a click on a header, filters, and pages.
 * @param {Rows} data
 * @param {Show} show
 * @param {string} caption for people who do not see it
 * @returns {HTMLElement}
 */
export function table({ rows, columns }, show, caption) {
  const state = { sort: "", sign: 1, filter: "", start: 0 };
  const change = (/** @type {Partial<typeof state>} */ by) => {
    Object.assign(state, { start: 0 }, by);
    draw();
  };
  const row = show.at(0);
  const alignments = columns.map((name) => ({ class: isNumeric(rows, name) ? "end" : null }));
  const heads = columns.map((name, i) => el("th", { scope: "col", ...alignments[i] },
    button(row.label(name) || "(no name)", () => change({ sort: name, sign: state.sort === name ? -state.sign : 1 }), { title: row.describe(name) || name })));
  const body = el("tbody");
  const count = el("span.count", { role: "status" });
  const range = el("span.count");
  const back = quietButton("Previous", () => change({ start: state.start - PAGE }));
  const next = quietButton("Next", () => change({ start: state.start + PAGE }));
  const pager = el("div.bar", back, range, next);

  const draw = () => {
    const { sort, sign, filter, start } = state;
    let found = rows.filter((row) => !filter || columns.some((name) => plainText(own(row, name)).toLowerCase().includes(filter)));
    if (sort) found = found.toSorted((a, b) => sign * compareValues(own(a, sort), own(b, sort)));
    const page = found.slice(start, start + PAGE);
    body.replaceChildren(...page.map((row) => el("tr", columns.map((name, i) => el("td", alignments[i], cell(own(row, name), show))))));
    heads.forEach((head, i) => { head.ariaSort = columns[i] !== sort ? "none" : sign > 0 ? "ascending" : "descending"; });
    count.textContent = found.length < rows.length ? `${found.length} of ${plural(rows.length, "row")}` : plural(rows.length, "row");
    range.textContent = `${start + 1}\u2013${start + page.length} of ${found.length}`;
    pager.hidden = found.length <= PAGE;
    back.disabled = !start;
    next.disabled = start + PAGE >= found.length;
  };
  draw();
  const filter = rows.length >= FILTER_FROM && el("input", {
    type: "search", "aria-label": "Filter rows", placeholder: "Filter rows", autocomplete: "off",
    oninput: (/** @type {any} */ { target }) => change({ filter: target.value.trim().toLowerCase() }),
  });
  return el("div.table", el("div.bar", count, filter),
    el("div.scroller", { tabindex: 0, role: "region", "aria-label": caption },
      el("table", el("caption.visually-hidden", caption), el("thead", el("tr", heads)), body)), pager);
}

/** @param {any[]} rows @param {string} name */
function isNumeric(rows, name) {
  const values = rows.slice(0, 100).map((row) => own(row, name) ?? undefined).filter((one) => one !== undefined);
  return values.length > 0 && values.every((one) => typeof one === "number");
}

/** Orders cells: nothing last, numbers by size, the rest as people read it. @param {any} a @param {any} b */
function compareValues(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const empty = Number((a ?? null) === null) - Number((b ?? null) === null);
  return empty || collator.compare(plainText(a), plainText(b));
}

/** @param {any} value */
function plainText(value) {
  return asText(value ?? "");
}
