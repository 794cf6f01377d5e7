/** The one global of a page that shows the next view of its tool when it is there. */
// The parser as it is before the guard.
import "./runtime/parse-markup.js";
import { hideNonce } from "./live/first.js";
import "./guard/install.js";
// In this order the parts compress best.
import "./guard/guard.js";
import "./runtime/app.js";
import { startLiveView } from "./live/start.js";
import { take } from "./live/swap.js";
import { makeGlobal } from "./page-global.js";

hideNonce();
makeGlobal({
  fragment: take,
  startAdaptiveView: () => startLiveView(false),
  startFragmentView: () => startLiveView(true),
});
