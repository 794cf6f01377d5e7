import { clampedText } from "../clamp.js";
import { el, newId } from "../el.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Issue, Path } from "../schema/check.js" */

const MAX_DESCRIPTION = 14_000;

/**
 * @typedef {object} Field one control, or a group of them
 * @property {HTMLElement} element
 * @property {(issues: Problem[]) => any} read the value, undefined when it is left out;
 *   adds what cannot be read to the problems
 * @property {(value: any) => void} write shows a value; undefined empties
 * @property {() => void} focus
 * @property {(message: string) => void} showError "" clears
 * @property {(path: Path) => Field} locate the field nearest to a place in the value read last
 * @property {() => Field[]} children
 * @property {(value: any) => boolean} [accepts] whether pasted JSON can be spread over it
 *
 * @typedef {{ field: Field, message: string }} Problem
 */

/**
 * The frame around one control: label, description, error, tied together.
 * @param {FieldSpec} spec
 * @param {HTMLElement} control gets an id, and is what the label names
 * @param {{ inline?: boolean, hideLabel?: boolean }} [look]
 */
export function frame(spec, control, look = {}) {
  control.id = newId();
  const label = el("label", { for: control.id, class: look.hideLabel ? "visually-hidden" : "label", dir: "auto" }, spec.label, mark(spec));
  const hint = describe(spec);
  const error = errorLine();
  tie(control, hint, error);
  const parts = look.inline ? [el("div", { class: "inline" }, control, label)] : [label, control];
  const element = el("div", { class: "field", "data-kind": spec.kind }, ...parts, hint, error);
  return { element, showError: errorSetter(control, error), label };
}

/** @param {FieldSpec} spec */
export function mark(spec) {
  return spec.required && spec.key ? el("span", { class: "required", title: "required" }, "\u00a0*") : null;
}

/** The description, for `aria-describedby`. @param {FieldSpec} spec @returns {HTMLElement | null} */
export function describe({ description }) {
  if (!description) return null;
  const { paragraph, toggle } = clampedText(description.slice(0, MAX_DESCRIPTION), "");
  const hint = el("div", { class: "hint" }, paragraph, toggle);
  hint.dataset.text = paragraph.id;
  return hint;
}

/** @returns {HTMLElement} */
export function errorLine() {
  return el("p", { class: "error-line", id: newId(), hidden: true });
}

/** @param {HTMLElement} control @param {HTMLElement | null} hint @param {HTMLElement} error */
export function tie(control, hint, error) {
  control.setAttribute("aria-describedby", [hint?.dataset.text, error.id].filter(Boolean).join(" "));
}

/** @param {HTMLElement} control @param {HTMLElement} error @returns {(message: string) => void} */
export function errorSetter(control, error) {
  return (message) => {
    error.textContent = message;
    error.hidden = !message;
    if (message) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  };
}

/** Focuses a control, opening what hides it. @param {HTMLElement} control */
export function focusOn(control) {
  for (let outer = control.closest("details"); outer; outer = outer.parentElement?.closest("details") ?? null) outer.open = true;
  control.focus();
}
