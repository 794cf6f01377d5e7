import { el, newId } from "../el.js";
import { asText, isArray, same } from "../plain.js";
import { optionsOf } from "./choice.js";
import { makeFrame } from "./field.js";
import { FEW, searchLine, searchOptions } from "./search.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Look } from "./field.js" */
/** @import { Option } from "./choice.js" */

/**
 * A list out of fixed values: a checkbox each; of many, those that are ticked or searched for.
 * What was written and not touched is read back as it came, in its order.
 * @param {FieldSpec} spec @param {Look} look
 */
export function choicesField(spec, look) {
  const options = optionsOf(spec);
  const many = options.length > FEW;
  const group = newId();
  /** @type {Map<Option, { line: HTMLElement, box: HTMLInputElement }>} */
  const made = new Map();
  const lineOf = (/** @type {Option} */ option) => {
    const box = el("input", {
      type: "checkbox",
      name: group,
      "data-field": spec.name,
      value: asText(option[0]),
      id: newId(),
    });
    return { box, line: el("div.inline", box, el("label", { for: box.id }, option[1])) };
  };
  const of = (/** @type {Option} */ option) => {
    const one = made.get(option) ?? lineOf(option);
    made.set(option, one);
    return one;
  };
  const isTicked = (/** @type {Option} */ option) => !!made.get(option)?.box.checked;
  const count = el("p.hint", { role: "status" });
  const boxes = el("div.boxes", {
    onchange: () => {
      given = undefined;
    },
  });
  const draw = () => {
    const text = search.value;
    const result = many ? searchOptions(options, text) : { found: options, count: "" };
    const shown = new Set([...(text ? [] : options.filter(isTicked)), ...result.found]);
    boxes.replaceChildren(...[...shown].map((option) => of(option).line));
    count.textContent = result.count;
  };
  const search = searchLine(`Search ${spec.label}`, () => draw());
  /** @type {any[] | undefined} */
  let given;
  draw();
  return makeFrame(spec, look, many ? [search, boxes, count] : [boxes], {
    read() {
      const chosen = given ?? options.filter(isTicked).map(([value]) => value);
      return chosen.length || spec.required || given ? chosen : undefined;
    },
    write(value) {
      given = isArray(value) ? value : undefined;
      for (const option of options) {
        const ticked = !!given?.some((one) => same(one, option[0]));
        if (ticked || made.has(option)) of(option).box.checked = ticked;
      }
      draw();
    },
  });
}
