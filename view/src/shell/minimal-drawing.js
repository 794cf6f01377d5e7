import { plain } from "../kit/plain.js";
import { renderResult } from "../kit/result/render.js";
import { choicesOf, doneOf, presetsOf } from "./choices.js";

/** Results by what they are, under the choices that a call had. @type {import("../auto.js").Drawing} */
export const minimalDrawing =
  ({ page: { tool }, show, again }) =>
  (place, result, args) => {
    const choices = choicesOf(tool, plain(args), again);
    const nodes = renderResult(result, show, choices.length ? { ...presetsOf(tool), ...args } : args);
    place.replaceChildren(...choices, ...doneOf(tool, result, nodes), ...nodes);
  };
