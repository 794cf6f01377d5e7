import { el } from "../el.js";
import { max, min } from "../plain.js";
import { searchLine } from "./search.js";
/** @import { FieldSpec } from "../schema/describe.js" */

/** So many optional fields are shown as they are. */
const MANY = 20;
/** Of more, so many are shown beside what is required. */
const FIRST = 10;
/** A form of up to so many fields begins unfolded: it is read faster than it is searched. */
const READABLE = 40;
/** No more are made at once, whatever is required: a required field that is folded is opened when it is missing. */
const MOST = 200;

/**
 * Folds most of the optional fields of a large object, with a search for them. What is folded is
 * made when it is first needed: a form begins with what can be seen of it.
 * @param {FieldSpec[]} specs in their order
 * @param {(spec: FieldSpec) => HTMLElement} make a field
 * @returns {{ elements: HTMLElement[], show: (has: (key: string) => boolean) => void }} `show` makes
 *   and opens what is folded when something in it is meant
 */
export function foldRest(specs, make) {
  const required = specs.filter((one) => one.required).length;
  const start = min(MOST, specs.length - required > MANY ? max(FIRST, required) : specs.length);
  const rest = specs.slice(start);
  const elements = [el("div.fields", specs.slice(0, start).map(make))];
  if (!rest.length) return { elements, show() {} };
  const body = el("div.fields");
  const fill = () => { if (!body.hasChildNodes()) body.append(...rest.map(make)); };
  const search = searchLine("Search the options", (text) => {
    fill();
    for (const [i, one] of rest.entries()) /** @type {HTMLElement} */ (body.children[i]).hidden = !names(one).includes(text);
  });
  const fold = el("details.more-options", { ontoggle: fill }, el("summary", `More options (${rest.length})`), search, body);
  const show = (/** @type {(key: string) => boolean} */ has) => {
    if (!rest.some(({ key }) => has(key))) return;
    fill();
    fold.open = true;
  };
  show(() => specs.length <= READABLE);
  return { elements: [...elements, fold], show };
}

/** What a field is found by. @param {FieldSpec} spec */
function names({ label, key, description }) {
  return `${label} ${key} ${description}`.toLowerCase();
}
