import { list, messageOf, plain } from "../kit/plain.js";
import { argumentsNow, selectedRows, selectedWords } from "./selected.js";
/** @import { Page } from "./index.js" */

const TABLE = { table: { type: "integer", minimum: 1, default: 1, description: "Which table of the view, from the top" } };

/** The tools that a view offers to the host's agent. */
const TOOLS = [
  {
    name: "get_view_state", title: "Get what the view shows", annotations: { readOnlyHint: true },
    description: "Returns the arguments in the view's form, its tables with their columns, sorting and filter, and what the person has selected.",
    inputSchema: { type: "object", properties: {} },
  },
  {
    name: "set_sort", title: "Sort a table",
    description: "Sorts a table of the view by a column. Without a column, the rows stand in the order of the data.",
    inputSchema: { type: "object", properties: { column: { type: "string", description: "As get_view_state names it" }, descending: { type: "boolean", default: false }, ...TABLE } },
  },
  {
    name: "set_filter", title: "Filter a table",
    description: "Shows the rows of a table that have all of these words. Without words, it shows all rows.",
    inputSchema: { type: "object", properties: { words: { type: "string" }, ...TABLE } },
  },
];

/** A name as people read it: without signs, spaces and capitals. @param {unknown} name */
function letters(name) {
  return `${name ?? ""}`.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** @returns {HTMLElement[]} the tables of the result */
function tables() {
  return [...document.querySelectorAll("section.result div.table")].map((one) => /** @type {HTMLElement} */ (one));
}

/** @param {HTMLElement} table */
function headsOf(table) {
  return [...table.querySelectorAll("thead th")].map((cell) => ({ cell, press: /** @type {HTMLElement} */ (cell.firstElementChild), label: `${cell.textContent}`.trim() }));
}

/** The box that filters a table: its own, or that of the whole view. @param {HTMLElement} table @returns {HTMLInputElement | null} */
function filterOf(table) {
  const box = '[type="search"]';
  return table.querySelector(`.bar ${box}`) ?? document.querySelector(`section.result .bar.filter ${box}`);
}

/** @param {unknown} place from 1 */
function tableAt(place = 1) {
  const table = tables()[Number(place) - 1];
  if (!table) throw new Error(tables().length ? `The view has ${tables().length} tables, not ${place}.` : "The view shows no table.");
  return table;
}

/** What a table shows, for a model. @param {HTMLElement} table */
function stateOf(table) {
  const heads = headsOf(table);
  const sorted = heads.find(({ cell }) => cell.ariaSort && cell.ariaSort !== "none");
  const filter = filterOf(table);
  return {
    title: table.querySelector("caption")?.textContent ?? "",
    columns: heads.map(({ label }) => label),
    sort: sorted ? { column: sorted.label, descending: sorted.cell.ariaSort === "descending" } : null,
    filter: filter ? filter.value : null,
    rowsOnThisPage: table.querySelectorAll("tbody > tr:not(.detail)").length,
    count: table.querySelector(".count")?.textContent ?? "",
  };
}

/** @param {Page} page */
function acts(page) {
  const show = () => ({ tool: page.tool.name, arguments: argumentsNow(page), tables: tables().map(stateOf), selectedRows: selectedRows(), selectedText: selectedWords() });
  return {
    get_view_state: show,
    set_sort(/** @type {any} */ { column, descending, table: place }) {
      const table = tableAt(place);
      const heads = headsOf(table);
      const head = column ? heads.find(({ label, press }) => [label, press.title].some((one) => letters(one) === letters(column))) : heads.find(({ cell }) => cell.ariaSort !== "none");
      if (column && !head) throw new Error(`The table has no column "${column}". It has: ${heads.map(({ label }) => label).join(", ")}.`);
      const wanted = !column ? "none" : descending ? "descending" : "ascending";
      // A head goes from one order to the next, and comes back after the third.
      for (let presses = 0; head && head.cell.ariaSort !== wanted && presses < 3; presses++) head.press.click();
      return { sorted: stateOf(table).sort };
    },
    set_filter(/** @type {any} */ { words, table: place }) {
      const table = tableAt(place);
      const filter = filterOf(table);
      if (!filter) throw new Error("This table has no filter: it has few rows, and shows them all.");
      filter.value = `${words ?? ""}`;
      filter.dispatchEvent(new Event("input", { bubbles: true }));
      const { count } = stateOf(tableAt(place));
      return { filter: filter.value, count };
    },
  };
}

/** Offers the tools to the host. @param {Page} page */
export function viewTools(page) {
  const { app, capabilities } = page;
  const does = new Map(Object.entries(acts(page)));
  capabilities.tools = {};
  app.onlisttools = () => ({ tools: TOOLS });
  app.oncalltool = (/** @type {any} */ { name, arguments: given }) => {
    const act = does.get(name);
    try {
      if (!act) throw new Error(`The view has no tool "${name}". It has: ${[...does.keys()].join(", ")}.`);
      const answer = act(plain(given));
      return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
    } catch (error) {
      return { content: [{ type: "text", text: messageOf(error) }], isError: true };
    }
  };
}
