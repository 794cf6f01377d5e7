import { el } from "../el.js";
import { asText, same } from "../plain.js";
import { leafField } from "./leaf.js";
import { searchOptions } from "./search.js";
import { suggestions } from "./suggestions.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Look } from "./field.js" */
/** @import { Option } from "./choice.js" */

/**
 * One of many values: a line that searches them, as the ARIA pattern for an editable combobox has it.
 * @param {FieldSpec} spec @param {Look} look @param {Option[]} options
 */
export function comboboxField(spec, look, options) {
  const popup = suggestions((option) => take(option));
  /** @type {Option | undefined} */
  let taken;
  const control = el("input", {
    type: "text",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": popup.id,
    "aria-expanded": "false",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    placeholder: `Search ${options.length.toLocaleString()} values`,
    oninput: () => open(),
    onclick: () => open(),
    onblur: () => close(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (onKey(event.key)) event.preventDefault();
    },
  });
  const isOpen = () => control.ariaExpanded === "true";
  const point = () => control.setAttribute("aria-activedescendant", popup.active()?.id ?? "");
  const close = () => {
    control.ariaExpanded = "false";
    popup.hide();
    point();
  };
  const open = () => {
    const result = searchOptions(options, taken?.[1] === control.value ? "" : control.value);
    if (!result.found.length) return close();
    control.ariaExpanded = "true";
    popup.show(result);
    point();
  };
  const take = (/** @type {Option} */ option) => {
    control.value = option[1];
    control.dispatchEvent(new Event("input", { bubbles: true }));
    taken = option;
    close();
  };
  /** Whether a key was for the list. @param {string} key */
  const onKey = (key) => {
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step && isOpen()) popup.move(step);
    else if (step) open();
    else if (!isOpen() || !/^(Enter|Escape)$/.test(key)) return false;
    else if (key === "Enter" && !popup.take()) return false;
    else close();
    point();
    return true;
  };
  const named = (/** @type {string} */ text) =>
    taken?.[1] === text
      ? taken
      : (options.find(([, words]) => words === text) ??
        options.find(([value]) => asText(value) === text) ??
        options.find(([, words]) => words.toLowerCase() === text.trim().toLowerCase()));
  return leafField(spec, look, {
    control,
    beside: popup.element,
    parse(shown) {
      const option = named(shown);
      return option
        ? { value: option[0] }
        : shown.trim()
          ? { problem: "Choose one of the listed values." }
          : undefined;
    },
    show(value) {
      taken = options.find(([one]) => same(one, value));
      control.value = taken?.[1] ?? asText(value);
    },
  });
}
