/** The one global of a page with the kit: everything that views and the wrapper use. */
import { startAdaptiveView } from "./auto.js";
import { prepareDocumentWithKit as prepareDocument, ui } from "./document.js";
import { fragment, startFragmentView } from "./fragment.js";
import { kit } from "./kit/index.js";
import { runtime } from "./runtime/index.js";
import { readPageData } from "./shell/page-data.js";

runtime.App.toolName = readPageData().tool.name;

Object.defineProperty(globalThis, "McpGenUi", { value: Object.freeze({ ...runtime, fragment, kit, prepareDocument, startAdaptiveView, startFragmentView, ui }) });
