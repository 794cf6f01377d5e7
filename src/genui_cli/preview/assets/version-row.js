// One version of a view in the list of them.

import { el } from "./dom.js";

/** A list item; `onCompare` and `onRollBack` are null where there is nothing to do. */
export function versionRow(
  { version, isPresent, occasion, uiType, generatedAt, llmModel },
  { onCompare, onRollBack },
) {
  const when = generatedAt ? new Date(generatedAt).toLocaleTimeString() : null;
  return el(
    "li",
    { value: version },
    el("span", { class: "version-number" }, String(version)),
    el(
      "div",
      { class: "version-words" },
      el("p", {}, occasion),
      el("p", { class: "version-facts" }, [uiType, llmModel, when].filter(Boolean).join(" · ")),
    ),
    isPresent ? el("span", { class: "badge badge-safe" }, "shown now") : null,
    onCompare
      ? el(
          "button",
          {
            class: "quiet small",
            type: "button",
            onclick: onCompare,
            "aria-label": `Compare version ${version} with the present one`,
          },
          "Compare",
        )
      : null,
    onRollBack
      ? el(
          "button",
          {
            class: "quiet small",
            type: "button",
            onclick: onRollBack,
            "aria-label": `Go back to version ${version}`,
          },
          "Go back",
        )
      : null,
  );
}
