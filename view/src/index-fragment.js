/** The one global of a page whose view is a fragment, with the kit. */
// The parser as it is before the guard.
import "./runtime/parse-markup.js";
import "./guard/install.js";
// In this order the parts compress best.
import "./guard/guard.js";
import "./runtime/app.js";
import { fragment, startFragmentView } from "./fragment.js";
import { makeGlobal } from "./page-global.js";

makeGlobal({ fragment, startFragmentView });
