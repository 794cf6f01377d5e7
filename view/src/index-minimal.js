/** The one global of a page with the minimal view: nothing that only views by a model use. */
// No code of a model runs here: the page's policy admits its own scripts alone, so nothing has to be guarded against others.
import { keepPolicy } from "./guard/policy.js";
import "./runtime/app.js";
import { startAdaptiveView } from "./auto.js";
import { makeGlobal } from "./page-global.js";
import { minimalDrawing } from "./shell/minimal-drawing.js";

keepPolicy();
makeGlobal({ startAdaptiveView: () => startAdaptiveView(minimalDrawing) });
