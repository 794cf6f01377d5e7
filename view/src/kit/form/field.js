import { clampedText, el, newId } from "../el.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Path } from "../schema/check.js" */

/**
 * @typedef {object} Field one control, or a group of them
 * @property {HTMLElement} element
 * @property {(problems: Problem[]) => any} read the value, undefined when it is left out;
 *   adds what cannot be read to the problems
 * @property {(value: any) => void} write shows a value; undefined empties
 * @property {() => void} focus
 * @property {(message: string) => void} showError "" clears
 * @property {(path: Path) => [Field, Path]} locate the field nearest to a place in the value read last,
 *   and the rest of the path from there on
 * @property {() => [string | number, Field][]} children the fields inside, by key or index
 * @property {() => void} reset goes back to the default, or to nothing
 * @property {(label: string) => void} rename
 * @property {(value: any) => boolean} [accepts] whether pasted JSON can be spread over it
 *
 * @typedef {{ field: Field, message: string }} Problem
 * @typedef {{ hideLabel?: boolean, flat?: boolean, inline?: boolean }} Look `flat`: neither frame nor legend,
 *   `inline`: the label behind the control
 * @typedef {Pick<Field, "read" | "write"> & Partial<Field>} Ways what a kind of field does its own way
 */

/** The letters of a text, without an article before them. @param {string} text */
function lettersOf(text) {
  return text
    .toLowerCase()
    .replace(/^(the|an?) /, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * A field in its frame: label, description and error, tied to what it asks with.
 * @param {FieldSpec} spec
 * @param {Look} look
 * @param {HTMLElement | HTMLElement[]} content one control, or what stands inside of a fieldset
 * @param {Ways} ways
 * @returns {Field}
 */
export function makeFrame(spec, look, content, ways) {
  const single = content instanceof HTMLElement;
  const described =
    look.flat || lettersOf(spec.description) === lettersOf(spec.label) ? "" : spec.description;
  const hint = described ? clampedText(described) : [];
  const error = el("p.error-line", { id: newId(), hidden: true });
  const help = hint.length > 0 && el("div.hint", hint);
  const caption = [
    spec.label,
    spec.required && spec.key && el("span.required", { title: "required" }, "\u00a0*"),
  ];
  const label = el(single ? "label" : "legend", { class: look.hideLabel ? "unseen" : "label" }, caption);
  const element = single
    ? el("div.field", { "data-kind": spec.kind }, labelled(content, label, look), help, error)
    : look.flat
      ? el("div", content, error)
      : el(`fieldset.${spec.kind}`, label, help, ...content, error);
  const target = single ? content : element;
  if (spec.name) target.dataset.field = spec.name;
  target.setAttribute("aria-describedby", [...hint.slice(0, 1), error].map((one) => one.id).join(" "));
  /** @type {Field} */
  const field = {
    element,
    focus() {
      const [first] = field.children();
      if (first) first[1].focus();
      else {
        unfold(element);
        (single
          ? content
          : (element.querySelector(/** @type {any} */ ("input,:scope > button")) ?? element)
        ).focus();
      }
    },
    locate(path) {
      const [key, ...rest] = path;
      return (
        field
          .children()
          .find(([one]) => one === key)?.[1]
          .locate(rest) ?? [field, path]
      );
    },
    children: () => [],
    showError(message) {
      error.textContent = message;
      error.hidden = !message;
      target.ariaInvalid = message ? "true" : null;
      if (message) unfold(element);
    },
    reset: () => field.write(undefined),
    rename(text) {
      label.replaceChildren(text, ...[...label.childNodes].slice(1));
    },
    ...ways,
  };
  target.addEventListener(single ? "input" : "change", () => field.showError(""));
  return field;
}

/** @param {HTMLElement} control @param {HTMLElement} label @param {Look} look */
function labelled(control, label, { inline }) {
  control.id = newId();
  label.setAttribute("for", control.id);
  return inline ? el("div.inline", control, label) : [label, control];
}

/** Opens what hides an element. @param {Element} element */
function unfold(element) {
  const outer = element.closest("details");
  if (!outer) return;
  outer.open = true;
  if (outer.parentElement) unfold(outer.parentElement);
}
