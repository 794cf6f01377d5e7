import { el } from "../el.js";
import { searchLine } from "./search.js";
/** @import { FieldSpec } from "../schema/describe.js" */

/** A form shows so many controls: optional ones beyond them are folded. */
const ROOM = 10;
/** No more are made at once, whatever is required: a required field that is folded is opened when it is missing. */
const MOST = 200;

/**
 * Folds the optional fields of a large object that exceed the number of controls shown, with a search for them. What is folded is
 * made when it is first needed: a form begins with what can be seen of it.
 * @param {FieldSpec[]} specs in their order
 * @param {(spec: FieldSpec) => HTMLElement} make a field
 * @returns {{ elements: HTMLElement[], show: (has: (key: string) => boolean) => void }} `show` makes
 *   and opens what is folded when something in it is meant
 */
export function foldRest(specs, make) {
  let room = ROOM;
  const shown = specs.slice(0, MOST).filter((one) => {
    const needed = controlsOf(one, ROOM);
    const fits = one.required || needed <= room;
    if (fits) room -= needed;
    return fits;
  });
  const rest = specs.filter((one) => !shown.includes(one));
  const elements = shown.length ? [el("div.fields", shown.map(make))] : [];
  if (!rest.length) return { elements, show() {} };
  const body = el("div.fields");
  const fill = () => {
    if (!body.hasChildNodes()) body.append(...rest.map(make));
  };
  const search = searchLine("Search the options", (text) => {
    fill();
    for (const [i, one] of rest.entries())
      /** @type {HTMLElement} */ (body.children[i]).hidden = !names(one).includes(text);
  });
  const fold = el(
    "details.more-options",
    { ontoggle: fill },
    el("summary", `More options (${rest.length})`),
    search,
    body,
  );
  const show = (/** @type {(key: string) => boolean} */ has) => {
    if (!rest.some(({ key }) => has(key))) return;
    fill();
    fold.open = true;
  };
  show(() => !shown.length);
  return { elements: [...elements, fold], show };
}

/** How many controls a field begins with, counted no further than a number. @param {FieldSpec} spec @param {number} most @returns {number} */
function controlsOf({ kind, fields, variants }, most) {
  const inner = kind === "variants" ? (variants ?? []).slice(0, 1) : (fields ?? []);
  let count = kind === "group" || kind === "tuple" ? 0 : 1;
  for (const one of inner) {
    if (count > most) break;
    count += controlsOf(one, most - count);
  }
  return count;
}

/** What a field is found by. @param {FieldSpec} spec */
function names({ label, key, description }) {
  return `${label} ${key} ${description}`.toLowerCase();
}
