/** The one global of a document that does not import the kit: what it imports from ext-apps. */
import "./guard/install.js";
import { shadowed } from "./guard/guard.js";
import { makeGlobal } from "./page-global.js";
import { prepareDocument } from "./runtime/document.js";
import { runtime } from "./runtime/index.js";

/** @type {any} */
const page = makeGlobal({
  ...runtime,
  prepareDocument: () => prepareDocument(),
  /** Runs a script of the document. @type {(names: string[], code: Function) => unknown} */
  run: (names, code) => shadowed(names, code, { McpGenUi: page }),
});
