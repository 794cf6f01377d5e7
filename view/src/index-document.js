/** The one global of a document that does not import the kit: what it imports from ext-apps. */
import "./guard/install.js";
import { shadowed } from "./guard/guard.js";
import { prepareDocument } from "./runtime/document.js";
import { limitCalls } from "./runtime/gate.js";
import { runtime } from "./runtime/index.js";
import { readPageLimits } from "./shell/page-data.js";

const { tool, related } = readPageLimits();
runtime.App.toolName = tool.name;
limitCalls(tool, related);

/** @type {any} */
const page = Object.freeze({
  ...runtime, prepareDocument: () => prepareDocument(),
  /** Runs a script of the document. @type {(names: string[], code: Function) => unknown} */
  run: (names, code) => shadowed(names, code, { McpGenUi: page }),
});

Object.defineProperty(globalThis, "McpGenUi", { value: page });
