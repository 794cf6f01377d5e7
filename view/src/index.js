/** The one global of a page with the kit: everything that views and the wrapper use. */
// The parser as it is before the guard.
import "./runtime/parse-markup.js";
import "./guard/install.js";
// In this order the parts compress best.
import "./guard/guard.js";
import "./runtime/app.js";
import { startAdaptiveView } from "./auto.js";
import { prepareDocumentWithKit as prepareDocument, ui } from "./document.js";
import { fragment, startFragmentView } from "./fragment.js";
import { shadowed } from "./guard/guard.js";
import { kit } from "./kit/index.js";
import { makeGlobal } from "./page-global.js";
import { runtime } from "./runtime/index.js";
import { adaptiveDrawing } from "./shell/adaptive-drawing.js";

/** @type {any} */
const page = makeGlobal({
  ...runtime,
  fragment,
  kit,
  prepareDocument,
  startAdaptiveView: () => startAdaptiveView(adaptiveDrawing),
  startFragmentView,
  ui,
  run,
});

/** Runs a script of a document. @type {(names: string[], code: Function) => unknown} */
function run(names, code) {
  return shadowed(names, code, { McpGenUi: page });
}
