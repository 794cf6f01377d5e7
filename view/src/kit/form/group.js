import { el } from "../el.js";
import { isPlain, own, put, same } from "../plain.js";
import { describe, errorLine, errorSetter, focusOn, mark, tie } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Problem } from "./field.js" */

/**
 * An object: its fields under a legend. Empty and optional, it is left out.
 * @param {FieldSpec} spec @param {{ flat?: boolean, hideLabel?: boolean }} [look] flat: without frame and legend
 * @returns {Field}
 */
export function groupField(spec, look = {}) {
  const specs = spec.fields ?? [];
  const fields = specs.map((one) => makeField(one));
  const error = errorLine();
  const element = look.flat ? el("div", { class: "fields", "data-field": spec.name || undefined }, fields.map((one) => one.element), error)
    : fieldset(spec, fields, error, look);
  /** What came from outside and has no control here. @type {[string, any][]} */
  let extra = [];
  let given = false;
  /** What an untouched form holds: defaults alone do not make an optional object. @type {any} */
  let blank;
  const collect = (/** @type {Problem[]} */ problems) => {
    const value = {};
    fields.forEach((one, i) => putIfSet(value, specs[i].key, one.read(problems)));
    for (const [key, one] of extra) put(value, key, one);
    return value;
  };
  /** @type {Field} */
  const field = {
    element,
    showError: errorSetter(element, error),
    read(problems) {
      /** @type {Problem[]} */
      const found = [];
      const value = collect(found);
      const untouched = !given && !spec.required && (!Object.keys(value).length || same(value, blank)) && !found.length;
      if (untouched) return undefined;
      problems.push(...found);
      return value;
    },
    write(value) {
      given = isPlain(value);
      const source = isPlain(value) ? value : {};
      fields.forEach((one, i) => one.write(own(source, specs[i].key)));
      extra = Object.entries(source).filter(([key]) => !specs.some((one) => one.key === key));
      if (!given) blank = collect([]);
    },
    focus: () => (fields[0] ? fields[0].focus() : focusOn(element)),
    locate(path) {
      const index = specs.findIndex((one) => one.key === path[0]);
      return index < 0 ? field : fields[index].locate(path.slice(1));
    },
    children: () => fields,
    accepts: (value) => isPlain(value) && Object.keys(value).every((key) => specs.some((one) => one.key === key)),
  };
  blank = collect([]);
  return field;
}

/** @param {object} target @param {string} key @param {any} value */
function putIfSet(target, key, value) {
  if (value !== undefined) put(target, key, value);
}

/** @param {FieldSpec} spec @param {Field[]} fields @param {HTMLElement} error @param {{ hideLabel?: boolean }} look */
function fieldset(spec, fields, error, look) {
  const hint = describe(spec);
  const legend = el("legend", { class: look.hideLabel ? "visually-hidden" : "label", dir: "auto" }, spec.label, mark(spec));
  const element = el("fieldset", { class: "group", "data-field": spec.name }, legend, hint,
    el("div", { class: "fields" }, fields.map((one) => one.element)), error);
  tie(element, hint, error);
  return element;
}
