import { el, newId } from "../el.js";
import { own } from "../plain.js";
import { FEW } from "./search.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

const CONTAINERS = /^(list|tuple|group|map|variants|choices)$/;

/**
 * Whether null must be asked for: it is allowed, and leaving the field empty says something else.
 * @param {FieldSpec} spec
 */
export function offersNull({ nullable, required, key, schema, kind }) {
  return nullable && (required && key ? CONTAINERS.test(kind) : own(schema, "default") !== null);
}

/** Whether a control cannot show null by itself. @param {FieldSpec} spec */
export function needsNullBox({ nullable, kind, values = [] }) {
  return nullable && !/^(json|const|boolean)$/.test(kind) && (kind !== "choice" || values.length > FEW);
}

/**
 * A field with a box to tick for null, there when it says more than an empty field or null was given.
 * @param {FieldSpec} spec @param {Field} field @returns {Field}
 */
export function withNull(spec, field) {
  const offered = offersNull(spec);
  const box = el("input", { type: "checkbox", id: newId(), onchange: () => field.showError("") });
  const line = el("div.inline.null", { hidden: !offered }, box, el("label", { for: box.id }, "null"));
  const name = (/** @type {string} */ text) => {
    box.ariaLabel = `${text}: null`;
  };
  name(spec.label);
  field.element.append(line);
  field.element.addEventListener("input", ({ target }) => {
    if (target !== box) box.checked = false;
  });
  const { read, write, rename } = field;
  return Object.assign(field, {
    read: (/** @type {any} */ problems) => (box.checked ? null : read(problems)),
    write(/** @type {any} */ value) {
      box.checked = value === null;
      line.hidden = !offered && !box.checked;
      write(value ?? undefined);
    },
    rename(/** @type {string} */ text) {
      name(text);
      rename(text);
    },
  });
}
