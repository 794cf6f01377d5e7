// A row of choices of which one holds: radio buttons that look like a switch.

import { el } from "./dom.js";
import { remember, remembered } from "./settings.js";

/**
 * Put a remembered choice into `place`; `onChange` gets the value now and whenever it changes.
 */
export function choice(place, { name, legend, options, otherwise, onChange }) {
  const known = remembered(name, otherwise);
  const chosen = options.some(([value]) => value === known) ? known : otherwise;
  const radios = options.map(([value, label]) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name, value, checked: value === chosen }),
      el("span", {}, label),
    ),
  );
  place.append(el("legend", {}, legend), ...radios);
  place.addEventListener("change", (event) => {
    remember(name, event.target.value);
    onChange(event.target.value);
  });
  onChange(chosen);
}
