import { el, inLine, quietButton, searchBox } from "../../el.js";
import { number, plural } from "../../format.js";
import { entriesOf } from "../../plain.js";
import { csv, json } from "./export.js";
/** @import { Show } from "../show.js" */
/** @import { Page } from "./table.js" */

/** @param {string} text @param {(text: string) => void} onchange */
export function filterBox(text, onchange) {
  return searchBox("Filter rows", onchange, { value: text });
}

/**
 * Copies what is found, in the order and with the columns in which it is shown.
 * @param {Show} show
 * @param {() => [any[], string[]]} what rows and keys
 * @param {(words: string) => void} say
 */
export function copyButtons(show, what, say) {
  return entriesOf({ CSV: csv, JSON: json }).map(([format, write]) =>
    quietButton(`Copy ${format}`, () => {
      const [rows, keys] = what();
      show.copy(write(rows, keys));
      say(`${plural(rows.length, "row")} copied as ${format}`);
    }),
  );
}

/** From page to page. @param {(start: number) => void} turn shows the page that starts there */
export function pager(turn) {
  /** The page in sight. @type {Page} */
  let page;
  const range = el("span.count", { role: "status" });
  // Disabled for people, not for the browser, which would take the focus away.
  const back = quietButton("Previous", () => {
    if (page.start) turn(page.start - page.size);
  });
  const next = quietButton("Next", () => {
    if (page.end < page.total) turn(page.end);
  });
  const element = inLine(back, range, next);
  const update = (/** @type {Page} */ now) => {
    page = now;
    const { start, end, size, total } = page;
    element.hidden = total <= size;
    range.textContent = `${number(start + 1)}\u2013${number(end)} of ${number(total)}`;
    back.ariaDisabled = start ? null : "true";
    next.ariaDisabled = end < total ? null : "true";
  };
  return { element, update };
}
