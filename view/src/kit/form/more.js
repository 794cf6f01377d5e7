import { el } from "../el.js";
import { searchLine } from "./search.js";
/** @import { FieldSpec } from "../schema/describe.js" */

/** So many optional fields are shown as they are. */
const MANY = 20;
/** Of more, so many are shown beside what is required. */
const FIRST = 10;
/** A form of up to so many fields begins unfolded: it is read faster than it is searched. */
const READABLE = 40;

/** @typedef {{ spec: FieldSpec, element: HTMLElement }} Member */

/**
 * Folds most of the optional fields of a large object, with a search for them.
 * @param {Member[]} members in their order
 * @returns {{ elements: HTMLElement[], show: (has: (key: string) => boolean) => void }} `show` opens
 *   the fold when something in it has a value
 */
export function foldRest(members) {
  const required = members.filter(({ spec }) => spec.required).length;
  const start = members.length - required > MANY ? Math.max(FIRST, required) : members.length;
  const rest = members.slice(start);
  const elements = [el("div.fields", members.slice(0, start).map(({ element }) => element))];
  if (!rest.length) return { elements, show() {} };
  const search = searchLine("Search the options", (text) => { for (const one of rest) one.element.hidden = !names(one).includes(text); });
  const fold = el("details.more-options", { open: members.length <= READABLE }, el("summary", `More options (${rest.length})`), search, el("div.fields", rest.map(({ element }) => element)));
  return { elements: [...elements, fold], show: (has) => { fold.open ||= rest.some(({ spec }) => has(spec.key)); } };
}

/** What a field is found by. @param {Member} member */
function names({ spec }) {
  return `${spec.label} ${spec.key} ${spec.description}`.toLowerCase();
}
