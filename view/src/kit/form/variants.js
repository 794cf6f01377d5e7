import { el, newId, show } from "../el.js";
import { check } from "../schema/check.js";
import { describe, errorLine, errorSetter, mark, tie } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

/** Alternatives: a picker, and the field of the one that is picked. @param {FieldSpec} spec @returns {Field} */
export function variantsField(spec) {
  const specs = spec.variants ?? [];
  const picker = el("select", { id: newId() }, specs.map((one, i) => el("option", { value: i }, one.label)));
  const hint = describe(spec);
  const error = errorLine();
  const body = el("div", { class: "fields" });
  const element = el("fieldset", { class: "group variants", "data-field": spec.name || undefined },
    el("legend", { class: "label", dir: "auto" }, spec.label, mark(spec)), hint,
    el("div", { class: "picker" }, el("label", { for: picker.id }, "Kind"), picker), body, error);
  tie(element, hint, error);
  /** Made when they are first picked. @type {Map<number, Field>} */
  const made = new Map();
  const at = (/** @type {number} */ index) => {
    const one = { ...specs[index], label: spec.label, description: "", required: spec.required, key: spec.key };
    const field = made.get(index) ?? makeField(one, { hideLabel: true });
    if (!made.has(index)) body.append(field.element);
    made.set(index, field);
    return field;
  };
  const pick = (/** @type {number} */ index) => {
    picker.selectedIndex = index;
    at(index);
    for (const [other, field] of made) show(field.element, other === index);
  };
  const current = () => at(picker.selectedIndex);
  picker.addEventListener("change", () => pick(picker.selectedIndex));
  pick(0);
  /** @type {Field} */
  const field = {
    element,
    showError: errorSetter(element, error),
    read: (problems) => current().read(problems),
    write(value) {
      if (value !== undefined) pick(Math.max(0, specs.findIndex((one) => !check(value, one.schema, one.schema).length)));
      current().write(value);
    },
    focus: () => current().focus(),
    locate: (path) => current().locate(path),
    children: () => [current()],
    accepts: (value) => specs.some((one) => !check(value, one.schema, one.schema).length),
  };
  return field;
}
