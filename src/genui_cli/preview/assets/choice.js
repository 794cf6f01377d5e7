// A row of choices of which one holds: radio buttons that look like a switch.

import { el } from "./dom.js";

/** Put a choice into `place`; `onChange` gets what the person chooses. Returns what shows another value. */
export function choice(place, { name, legend, options, value, onChange }) {
  const radios = options.map(([own, label]) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name, value: own, checked: own === value }),
      el("span", {}, label),
    ),
  );
  place.append(el("legend", {}, legend), ...radios);
  place.addEventListener("change", (event) => onChange(event.target.value));
  return (shown) => {
    for (const radio of place.querySelectorAll("input")) radio.checked = radio.value === shown;
  };
}
