import { el, newId } from "../el.js";
import { byDistance } from "../schema/check.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/**
 * Alternatives: a picker, and the field of the alternative that a person picks.
 * @param {FieldSpec} spec @param {Look} look
 * @param {(value: any, spec: FieldSpec) => any} [carry] what another alternative makes of the value so far; with it, the picker stands beside the field
 * @returns {Field}
 */
export function variantsField(spec, look, carry) {
  const specs = spec.variants ?? [];
  const picker = el(
    "select",
    { id: newId(), onchange: () => change(picker.selectedIndex) },
    specs.map((one) => el("option", one.label)),
  );
  const body = el("div.fields");
  let { label } = spec;
  /** Made when they are first picked. @type {Field[]} */
  const made = [];
  let shown = 0;
  const pick = (/** @type {number} */ index, byUser = false) => {
    picker.selectedIndex = index;
    const one = specs[index];
    // An object that somebody asked for is sent even when nothing else in it is filled in.
    const required = spec.required || (byUser && one.kind === "group");
    made[index] ??= makeField({ ...one, label, required, key: spec.key }, { hideLabel: true });
    made[index].rename(label);
    body.replaceChildren(made[index].element);
    shown = index;
  };
  const change = (/** @type {number} */ index) => {
    const value = carry?.(made[shown].read([]), specs[index]);
    pick(index, true);
    if (value !== undefined) current().write(value);
  };
  const current = () => made[picker.selectedIndex];
  pick(0);
  const kind = el("label", { for: picker.id, class: carry ? "unseen" : null }, "Kind");
  const frame = makeFrame(spec, look, [el("div.picker", kind, picker), body], {
    read: (problems) => current().read(problems),
    write(value) {
      pick(value === undefined ? 0 : nearest(specs, value));
      if (value === undefined) current().reset();
      else current().write(value);
    },
    locate: (path) => current().locate(path),
    children: () => [["", current()]],
    accepts: (value) => specs.some((one) => !one.issues(value).length),
  });
  const { rename } = frame;
  frame.rename = (text) => {
    label = text;
    rename(text);
    if (carry) kind.textContent = `Type of ${text}`;
    current().rename(text);
  };
  return frame;
}

/** Where the alternative is that a value is for. @param {FieldSpec[]} specs @param {unknown} value */
function nearest(specs, value) {
  const results = specs.map((one, i) => ({ i, issues: one.issues(value) }));
  return results.toSorted((a, b) => byDistance(a.issues, b.issues))[0].i;
}
