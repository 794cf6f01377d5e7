/** The one global of a page with the minimal view: nothing that only views by a model use. */
// No code of a model runs here: the page's policy admits its own scripts alone, so nothing has to be guarded against others.
import { keepPolicy } from "./guard/policy.js";
import "./runtime/app.js";
import "./kit/result/chart/line.js";
import "./kit/result/chart/rows.js";
import { startAdaptiveView } from "./auto.js";
import { plain } from "./kit/plain.js";
import { renderResult } from "./kit/result/render.js";
import { makeGlobal } from "./page-global.js";
import { choicesOf, doneOf, presetsOf } from "./shell/choices.js";

/** Results by what they are, under the choices that a call had. @type {import("./auto.js").Drawing} */
const drawing = ({ page: { tool }, show, again }) => (place, result, args) => {
  const choices = choicesOf(tool, plain(args), again);
  const nodes = renderResult(result, show, choices.length ? { ...presetsOf(tool), ...args } : args);
  place.replaceChildren(...choices, ...doneOf(tool, result, nodes), ...nodes);
};

keepPolicy();
makeGlobal({ startAdaptiveView: () => startAdaptiveView(drawing) });
