/** The kit's parts by name, apart from what `ui` promises to views: for whoever tries them one by one. */
import { argumentsForm } from "./form/arguments.js";
import { speak } from "./locale.js";
import { chart } from "./result/chart/chart.js";
import { partsOf } from "./result/data.js";
import { markdown } from "./result/markdown/markdown.js";
import { renderResult } from "./result/render.js";
import { Show } from "./result/show.js";
import { check } from "./schema/check.js";

export const kit = Object.freeze({ Show, argumentsForm, chart, check, markdown, partsOf, renderResult, speak });
