import { renderResult } from "../kit/result/render.js";

/** Results by what they are. @type {import("../auto.js").Drawing} */
export const adaptiveDrawing =
  ({ show }) =>
  (place, result, args) =>
    place.replaceChildren(...renderResult(result, show, args));
