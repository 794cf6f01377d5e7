/** The one global of a page with the minimal view: nothing that only views by a model use. */
// The parser as it is before the guard.
import "./runtime/parse-markup.js";
import "./guard/install.js";
// In this order the parts compress best.
import "./guard/guard.js";
import "./runtime/app.js";
import "./kit/result/chart/line.js";
import "./kit/result/chart/rows.js";
import { startAdaptiveView } from "./auto.js";
import { limitCalls } from "./runtime/gate.js";
import { runtime } from "./runtime/index.js";
import { readPageLimits } from "./shell/page-data.js";

const { tool, related } = readPageLimits();
runtime.App.toolName = tool.name;
limitCalls(tool, related);

Object.defineProperty(globalThis, "McpGenUi", { value: Object.freeze({ ...runtime, startAdaptiveView }) });
