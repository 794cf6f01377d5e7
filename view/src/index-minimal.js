/** The one global of a page with the minimal view: nothing that only views by a model use. */
// No code of a model runs here: the page's policy admits its own scripts alone, so nothing has to be guarded against others.
import { keepPolicy } from "./guard/policy.js";
import "./runtime/app.js";
import "./kit/result/chart/line.js";
import "./kit/result/chart/rows.js";
import { startAdaptiveView } from "./auto.js";
import { plain } from "./kit/plain.js";
import { renderResult } from "./kit/result/render.js";
import { limitCalls } from "./runtime/gate.js";
import { runtime } from "./runtime/index.js";
import { choicesOf } from "./shell/choices.js";
import { readPageLimits } from "./shell/page-data.js";

/** Results by what they are, under the choices that a call had. @type {import("./auto.js").Drawing} */
const drawing = ({ page, show, again }) => (place, result, args) => place.replaceChildren(...choicesOf(page.tool, plain(args), again), ...renderResult(result, show, args));

keepPolicy();
const { tool, related } = readPageLimits();
runtime.App.toolName = tool.name;
limitCalls(tool, related);

Object.defineProperty(globalThis, "McpGenUi", { value: Object.freeze({ ...runtime, startAdaptiveView: () => startAdaptiveView(drawing) }) });
