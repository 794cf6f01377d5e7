import { isArray, isBranch, keysOf, parseJson, string } from "../plain.js";
/** @import { Field } from "./field.js" */

/** Every field by its element. @type {WeakMap<Element, Field>} */
const fieldOf = new WeakMap();

/**
 * Registers a field, and names the control that takes what is pasted for the whole of it.
 * @param {Field} field @param {string} name
 */
export function takePastes(field, name) {
  fieldOf.set(field.element, field);
  if (field.accepts) markPasteTarget(field.element, name);
}

/**
 * JSON pasted into any control of a group or list is spread over the whole of it.
 * Only text that arrives in one step counts; what is typed stays as it is.
 * Emptying the control that took it, before anything else is changed, takes all of it back.
 * @param {HTMLElement} form
 */
export function installSpread(form) {
  /** Length of the text in a control before the last step. @type {WeakMap<EventTarget, number>} */
  const lengths = new WeakMap();
  /** @type {Map<string | undefined, Field>} */
  const pasted = new Map();
  const textOf = (/** @type {any} */ control) => string(control.value);
  form.addEventListener("focusin", ({ target }) => {
    if (target) lengths.set(target, textOf(target).length);
  });
  form.addEventListener("input", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const text = textOf(target);
    const name = target.dataset.name ?? target.dataset.field;
    if (!text && pasted.has(name)) {
      pasted.get(name)?.write(undefined);
      pasted.delete(name);
      return;
    }
    const grown = text.length - (lengths.get(target) ?? 0);
    lengths.set(target, text.length);
    const field = grown > 1 && /^\s*[[{]/.test(text) && spread(target, parseJson(text));
    if (field && !field.element.matches(".any")) pasted.set(field.element.dataset.field, field);
  });
}

/** @param {HTMLElement} target @param {any} value @returns {Field | undefined} what the value was written to */
function spread(target, value) {
  const field = isBranch(value) && holderOf(target, value);
  if (!field) return undefined;
  field.write(value);
  markPasteTarget(field.element, field.element.dataset.field, true);
  field.focus();
  return field;
}

/** The field that JSON is for which was pasted into a control. @param {HTMLElement} target @param {any} value */
function holderOf(target, value) {
  const free = target.closest(".any");
  const isCode = target.classList.contains("code");
  const isNamed = nameBeside(target) !== "";
  if (free && isNamed) return isCode ? undefined : fieldOf.get(free);
  // An object is the value of the box it was pasted into: unless it names the box, or the key beside it has no name yet.
  const isOwn =
    !isArray(value) && (free || (isCode && isNamed)) && !target.dataset.field?.endsWith(`.${keysOf(value)}`);
  if (!isOwn) return outermost(target, value);
  return free ? unnamed(free) : undefined;
}

/** The key in the row of a control: undefined where there is none. @param {Element} inside */
function nameBeside(inside) {
  return /** @type {HTMLInputElement | null | undefined} */ (inside.closest(".row")?.querySelector(".key"))
    ?.value;
}

/** The map of keys and values around a value, and around that map, as long as the keys between have no names. @param {Element} inside */
function unnamed(inside) {
  let map = inside.closest(".map");
  while (map?.parentElement && nameBeside(map) === "") map = map.parentElement.closest(".map");
  return map ? fieldOf.get(map) : undefined;
}

/** The outermost named field around a control that can hold a value. @param {HTMLElement} target @param {any} value */
function outermost(target, value) {
  /** @type {Field | undefined} */
  let found;
  for (let node = target.parentElement; node; node = node.parentElement) {
    const field = fieldOf.get(node);
    if (node.dataset.field && field?.accepts?.(value)) found = field;
  }
  return found;
}

/**
 * Names the control that takes pasted JSON for a whole group or list: one that has no such name yet, if there is one.
 * @param {HTMLElement} element @param {string} [name] @param {boolean} [isFirst] the first one, whether it has a name or not
 */
function markPasteTarget(element, name, isFirst) {
  // An object in a JSON box is its own; a list is for the list around it.
  const boxes = element.matches(".list") ? "textarea" : "textarea:not(.code)";
  const find = (/** @type {string} */ not) =>
    element.querySelector(`:is(input[type=text], textarea:not(.code))${not}`) ??
    element.querySelector(boxes + not);
  if (name)
    (
      (!isFirst && find(":not([data-name], .key, [readonly])")) ||
      find(":not(.key, [readonly])")
    )?.setAttribute("data-name", name);
}
