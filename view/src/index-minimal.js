/** The one global of a page with the minimal view: nothing that only views by a model use. */
// No code of a model runs here: the page's policy admits its own scripts alone, so nothing has to be guarded against others.
import { keepPolicy } from "./guard/policy.js";
import "./runtime/app.js";
import "./kit/result/chart/line.js";
import "./kit/result/chart/rows.js";
import { startAdaptiveView } from "./auto.js";
import { limitCalls } from "./runtime/gate.js";
import { runtime } from "./runtime/index.js";
import { readPageLimits } from "./shell/page-data.js";

keepPolicy();
const { tool, related } = readPageLimits();
runtime.App.toolName = tool.name;
limitCalls(tool, related);

Object.defineProperty(globalThis, "McpGenUi", { value: Object.freeze({ ...runtime, startAdaptiveView }) });
