// One thing that the checks of views had to say.

import { el } from "./dom.js";

/** A list item: the rule, the place, what is wrong, how it was written, and what to do. */
export function finding({ rule, severity, message, block, line, column, excerpt, advice }) {
  return el(
    "li",
    {},
    el(
      "p",
      { class: "finding-head" },
      el("span", { class: `badge badge-${severity === "error" ? "danger" : "own"}` }, severity),
      el("code", {}, rule),
      el("span", { class: "finding-place" }, `${block}, line ${line}, column ${column}`),
    ),
    el("p", {}, message),
    excerpt ? el("pre", { class: "excerpt" }, excerpt) : null,
    advice ? el("p", { class: "advice" }, advice) : null,
  );
}
