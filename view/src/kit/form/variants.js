import { el, newId } from "../el.js";
import { check } from "../schema/check.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** Alternatives: a picker, and the field of the one that is picked. @param {FieldSpec} spec @param {Look} look @returns {Field} */
export function variantsField(spec, look) {
  const specs = spec.variants ?? [];
  const picker = el("select", { id: newId(), onchange: () => pick(picker.selectedIndex) }, specs.map((one) => el("option", one.label)));
  const body = el("div.fields");
  /** Made when they are first picked. @type {Field[]} */
  const made = [];
  const pick = (/** @type {number} */ index) => {
    picker.selectedIndex = index;
    made[index] ??= makeField({ ...specs[index], label: spec.label, description: "", required: spec.required, key: spec.key }, { hideLabel: true });
    body.replaceChildren(made[index].element);
  };
  const current = () => made[picker.selectedIndex];
  const fitting = (/** @type {any} */ value) => specs.findIndex((one) => !check(value, one.schema, one.schema).length);
  pick(0);
  return makeFrame(spec, look, [el("div.picker", el("label", { for: picker.id }, "Kind"), picker), body], {
    read: (problems) => current().read(problems),
    write(value) {
      if (value !== undefined) pick(Math.max(0, fitting(value)));
      current().write(value);
    },
    locate: (path) => current().locate(path),
    children: () => [["", current()]],
    accepts: (value) => fitting(value) >= 0,
  });
}
