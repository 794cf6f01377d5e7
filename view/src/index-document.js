/** The one global of a document that does not import the kit: what it imports from ext-apps. */
import { prepareDocument } from "./runtime/document.js";
import { runtime } from "./runtime/index.js";
import { readPageData } from "./shell/page-data.js";

runtime.App.toolName = readPageData().tool.name;

Object.defineProperty(globalThis, "McpGenUi", { value: Object.freeze({ ...runtime, prepareDocument: () => prepareDocument() }) });
