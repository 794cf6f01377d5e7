import { freshDom, type } from "../dom.js";

freshDom();
const { argumentsForm } = await import("../../src/kit/form/arguments.js");

/**
 * Shows the form for a schema, or for an object with some properties.
 * @param {any} schema
 */
export function show(schema) {
  const form = argumentsForm(schema, { maxDepth: 5 });
  document.body.replaceChildren(form.element);
  return form;
}

/** @param {object} properties @param {string[]} required */
export function showProperties(properties, ...required) {
  return show({ type: "object", properties, required });
}

/** Whether a person can see it, as far as that can be told without a layout. @param {Element} element */
export function isShown(element) {
  return !element.closest("[hidden]") && !element.parentElement.closest("details:not([open])");
}

/** The control with a label. @param {string} label @returns {any} */
export function control(label) {
  const named = [...document.querySelectorAll("input, select, textarea")].filter((one) => isShown(one));
  const words = (one) =>
    one.getAttribute("aria-label") ?? one.ariaLabel ?? one.labels?.[0]?.textContent.replace(/\u00a0\*$/, "");
  const found = named.find((one) => words(one) === label);
  if (!found) throw new Error(`No control "${label}" among: ${named.map(words).join(", ")}`);
  return found;
}

/** @param {string} label @returns {any} */
export function button(label) {
  const found = [...document.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.ariaLabel ?? one.textContent) === label,
  );
  if (!found) throw new Error(`No button "${label}"`);
  return found;
}

/** @param {string} label @param {string} text */
export function fill(label, text) {
  type(control(label), text);
}

/** @param {any} control @param {...string} keys */
export function press(control, ...keys) {
  for (const key of keys)
    control.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/** @param {string} label @param {string} words */
export function choose(label, words) {
  const select = control(label);
  select.selectedIndex = [...select.options].findIndex((one) => one.textContent === words);
  for (const event of ["input", "change"]) select.dispatchEvent(new window.Event(event, { bubbles: true }));
}

/** The reasons that are shown. @returns {string[]} */
export function reasons() {
  return [...document.querySelectorAll(".error-line")].filter(isShown).map((one) => one.textContent);
}
