import { entriesOf, messageOf, plain } from "../kit/plain.js";
import { all, argumentsNow, HEADS, ROWS, selectedRows, selectedWords, textOf } from "./selected.js";
import { contentOf } from "../shell/content.js";
/** @import { Page } from "./index.js" */

const TABLE = {
  table: { type: "integer", minimum: 1, default: 1, description: "Which table of the view, from the top" },
};

/** The tools that a view offers to the host's agent. */
const TOOLS = [
  tool(
    "get_view_state",
    "Get what the view shows",
    "Returns the arguments in the form, the columns, sorting and filter of each table, and what the person has selected.",
    {},
    { annotations: { readOnlyHint: true } },
  ),
  tool("set_sort", "Sort a table", "Sorts a table by a column, or without one in the order of the data.", {
    column: { type: "string", description: "As get_view_state names it" },
    descending: { type: "boolean", default: false },
    ...TABLE,
  }),
  tool(
    "set_filter",
    "Filter a table",
    "Shows the rows of a table that have all of these words; without words, all rows.",
    { words: { type: "string" }, ...TABLE },
  ),
];

/** @param {string} name @param {string} title @param {string} description @param {object} properties of the input schema @param {object} [more] */
function tool(name, title, description, properties, more) {
  return { name, title, description, inputSchema: { type: "object", properties }, ...more };
}

/** A name as people read it: without signs, spaces and capitals. @param {unknown} name */
function letters(name) {
  return `${name ?? ""}`.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** @returns {HTMLElement[]} the tables of the result */
function tables() {
  return all("section.result div.table");
}

/** @param {HTMLElement} table */
function headsOf(table) {
  return all(HEADS, table).map((cell) => ({
    cell,
    press: /** @type {HTMLElement} */ (cell.firstElementChild),
    label: textOf(cell),
  }));
}

/** The box that filters a table: its own, or that of the whole view. @param {HTMLElement} table @returns {HTMLInputElement | null} */
function filterOf(table) {
  const box = '[type="search"]';
  return table.querySelector(`.bar ${box}`) ?? document.querySelector(`section.result .bar.filter ${box}`);
}

/** @param {unknown} place from 1 */
function tableAt(place = 1) {
  const table = tables()[Number(place) - 1];
  if (!table)
    throw new Error(
      tables().length ? `The view has ${tables().length} tables, not ${place}.` : "The view shows no table.",
    );
  return table;
}

/** What a table shows, for a model. @param {HTMLElement} table */
function stateOf(table) {
  const heads = headsOf(table);
  const sorted = heads.find(({ cell }) => cell.ariaSort && cell.ariaSort !== "none");
  const filter = filterOf(table);
  return {
    title: textOf(table.querySelector("caption")),
    columns: heads.map(({ label }) => label),
    sort: sorted ? { column: sorted.label, descending: sorted.cell.ariaSort === "descending" } : null,
    filter: filter ? filter.value : null,
    rowsOnThisPage: all(ROWS, table).length,
    count: textOf(table.querySelector(".count")),
  };
}

/** @param {Page} page */
function acts(page) {
  const show = () => ({
    tool: page.tool.name,
    arguments: argumentsNow(page),
    tables: tables().map(stateOf),
    selectedRows: selectedRows(),
    selectedText: selectedWords(),
  });
  return {
    get_view_state: show,
    set_sort(/** @type {any} */ { column, descending, table: place }) {
      const table = tableAt(place);
      const heads = headsOf(table);
      const head = column
        ? heads.find(({ label, press }) =>
            [label, press.title].some((one) => letters(one) === letters(column)),
          )
        : heads.find(({ cell }) => cell.ariaSort !== "none");
      if (column && !head)
        throw new Error(
          `The table has no column "${column}". It has: ${heads.map(({ label }) => label).join(", ")}.`,
        );
      const wanted = !column ? "none" : descending ? "descending" : "ascending";
      // A head goes from one order to the next, and comes back after the third.
      for (let presses = 0; head && head.cell.ariaSort !== wanted && presses < 3; presses++)
        head.press.click();
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
  const does = new Map(entriesOf(acts(page)));
  capabilities.tools = {};
  app.onlisttools = () => ({ tools: TOOLS });
  app.oncalltool = (/** @type {any} */ { name, arguments: given }) => {
    const act = does.get(name);
    try {
      if (!act) throw new Error(`The view has no tool "${name}". It has: ${[...does.keys()].join(", ")}.`);
      const answer = act(plain(given));
      return { content: contentOf(JSON.stringify(answer)), structuredContent: answer };
    } catch (error) {
      return { content: contentOf(messageOf(error)), isError: true };
    }
  };
}
