import { startAdaptiveView } from "./auto.js";
import { shadowed } from "./guard/guard.js";
import { el } from "./kit/el.js";
import { shorten } from "./kit/format.js";
import { isString, messageOf, plain } from "./kit/plain.js";
import { partsOf } from "./kit/result/data.js";
import { outcomeOf } from "./kit/result/outcome.js";
import { renderParts, renderResult } from "./kit/result/render.js";
import { uiOf } from "./kit/ui.js";
import { installBlockedSubmit } from "./runtime/blocked-submit.js";
import { installLinks } from "./runtime/links.js";
import { askingOf } from "./shell/asking.js";
import { template } from "./shell/template.js";
import { watchTroubles } from "./shell/troubles.js";
/** @import { Drawing } from "./auto.js" */
/** @import { Show } from "./kit/result/show.js" */

/** What is there to see without words. */
const PICTURES = "svg, canvas, img, meter, progress, input, select, textarea";

/** @typedef {(data: any, ui: object) => unknown} Render */

/** Runs the fragment's script; undefined where that did not even parse. @type {(() => Render) | undefined} */
let script;


/**
 * What the fragment's script element calls.
 * @param {string[]} names the parameters of the function
 * @param {(...shadows: any[]) => Render} run the script, which returns what it defines as `render`. It runs again for
 *   every result, so that nothing is left of the one before
 */
export function fragment(names, run) {
  script = () => shadowed(names, run);
}

/**
 * The page of a view that is a fragment: the frame of the adaptive view, in which the fragment
 * draws the results. Where it cannot, the adaptive view does.
 */
export function startFragmentView() {
  installBlockedSubmit();
  return startAdaptiveView(drawing);
}

/** @type {Drawing} */
function drawing({ page: { tool }, app, show, openLink }) {
  const asking = askingOf(() => app, tool);
  /** Where the last result is drawn. @type {HTMLElement | undefined} */
  let root;
  installLinks(openLink);
  watchTroubles((words) => { if (root?.isConnected) root.after(words); });

  return async (place, result, args) => {
    const mine = root = el("div.stack");
    place.append(mine, ...renderParts(partsOf(result).filter(isMedium), show.at("media", {})));
    let calls = 0;
    const call = (/** @type {Parameters<typeof asking.call>} */ ...what) => {
      calls++;
      return asking.call(...what);
    };
    try {
      if (!script) throw new Error("Its script cannot be read");
      const { data, meta } = outcomeOf(result, args, tool.outputSchema);
      // A view that was made for an object takes a text apart, letter by letter.
      if (plain(tool.outputSchema).type === "object" && isString(data)) throw new Error("It is not what the tool declares");
      mine.append(template());
      await script()(data, Object.freeze({ ...uiOf(placesIn(show), { ...asking, call }), root: mine, meta }));
      if (!calls && isBlank(mine)) throw new Error("It left the page empty");
    } catch (error) {
      if (!mine.isConnected) return;
      place.replaceChildren(plainly(messageOf(error)), ...renderResult(result, show));
      if (app.getHostCapabilities()?.logging) app.sendLog({ level: "warning", logger: "view", data: `The fragment drew nothing: ${messageOf(error)}` });
    }
  };
}

/**
 * The first table of a drawing is shown as the first one of the drawing before, and so on: sorted,
 * filtered and opened as the person left it.
 * @param {Show} show
 */
function placesIn(show) {
  /** @type {Record<string, number>} */
  const asked = {};
  return (/** @type {string} */ part) => show.at(`${part} ${asked[part] = (asked[part] ?? 0) + 1}`, {});
}

/** What a fragment has no means to draw. @param {{ kind: string }} part */
function isMedium({ kind }) {
  return kind !== "data" && kind !== "text";
}

/** @param {HTMLElement} root */
function isBlank(root) {
  return !root.textContent?.trim() && !root.querySelector(PICTURES);
}

/** Says why the result stands there plainly. @param {string} reason */
function plainly(reason) {
  return el("p.notice", { role: "note" }, `The view made for this tool could not show this result: here it is. (${shorten(reason, 200)})`);
}
