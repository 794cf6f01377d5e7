import { startAdaptiveView } from "./auto.js";
import { shadowed } from "./guard/guard.js";
import { el, fold, put } from "./kit/el.js";
import { shorten } from "./kit/format.js";
import {
  entriesOf,
  fromEntries,
  hasOwn,
  isBranch,
  isPlain,
  isString,
  keysOf,
  lastly,
  messageOf,
  own,
  plain,
  string,
} from "./kit/plain.js";
import { partsOf, soundsFailed } from "./kit/result/data.js";
import { dataOf, outcomeOf } from "./kit/result/outcome.js";
import { alike, alreadySaid } from "./kit/result/recognise/repeats.js";
import { walk } from "./kit/result/recognise/walk.js";
import { isNote, renderParts, renderResult } from "./kit/result/render.js";
import { uiOf } from "./kit/ui.js";
import { installBlockedSubmit } from "./runtime/blocked-submit.js";
import { installDownloads } from "./runtime/downloads.js";
import { installLinks } from "./runtime/links.js";
import { repeatsWords, shownIn } from "./runtime/shown-words.js";
import { askingOf } from "./shell/asking.js";
import { template } from "./shell/template.js";
import { watchTroubles } from "./shell/troubles.js";
/** @import { Drawing } from "./auto.js" */
/** @import { Part } from "./kit/result/data.js" */
/** @import { Show } from "./kit/result/show.js" */

/** What is there to see without words. */
const PICTURES = "svg, canvas, img, meter, progress, input, select, textarea";

/** Longer texts of several lines beneath a view are folded, and begin with so much. */
const LONG = 100;
const GIST = 60;
/** With more values than this, data that a view did not get is shown beneath it, even where the view has all its words. */
const FEW = 12;

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
  return startAdaptiveView(fragmentDrawing);
}

/** @type {Drawing} */
export function fragmentDrawing({ page: { tool }, app, show, openLink, again, onown }) {
  /** Where the last result is drawn. @type {HTMLElement | undefined} */
  let root;
  installDownloads(() => app);
  installLinks(openLink);
  watchTroubles((words) => {
    if (root?.isConnected) root.after(words);
  });

  return async (place, result, args) => {
    const mine = (root = leavingOut(el("div.stack.written")));
    const parts = partsOf(result, true);
    // Pictures come first, unless a text says that something failed.
    const media = parts.filter(isMedium).toSorted(lastly((part) => !isImage(part)));
    const { length } = media.filter(isImage);
    const pictures = renderParts(media, show.at("media", {}));
    const beside = besideOf(mine, show.at("beside", {}));
    const asking = askingOf(
      () => app,
      tool,
      (name, given, answer) => {
        if (name !== tool.name || !mine.isConnected) return;
        onown(answer, plain(given));
        // The view draws what it got first.
        setTimeout(() => beside(partsOf(answer, true), dataOf(answer, tool.outputSchema)));
      },
    );
    const above = parts.some(({ text = "" }) => soundsFailed(text)) ? 0 : length;
    place.append(...pictures.slice(0, above), mine, ...pictures.slice(above));
    show.args = args;
    let calls = 0;
    let isDrawing = true;
    const call = (/** @type {Parameters<typeof asking.call>} */ ...what) => {
      calls++;
      return asking.call(...what);
    };
    const runAgain = async (/** @type {unknown} */ changed) => {
      if (isDrawing) throw new Error("again() is for a press, not for drawing");
      await again({ ...args, ...plain(changed) });
    };
    try {
      if (!script) throw new Error("Its script cannot be read");
      const { data, meta } = outcomeOf(result, args, tool.outputSchema);
      // A view that was made for an object takes a text apart, letter by letter.
      if (plain(tool.outputSchema).type === "object" && isString(data))
        throw new Error("It is not what the tool declares");
      mine.append(template());
      await script()(
        data,
        Object.freeze({
          ...uiOf(placesIn(show, data), { ...asking, call, again: runAgain }, show),
          root: mine,
          meta,
        }),
      );
      isDrawing = false;
      if (!calls && isBlank(mine)) throw new Error("It left the page empty");
      if (!mine.isConnected) return;
      beside(parts, dataOf(result, tool.outputSchema));
      // One that the view folds away is still to be shown.
      /** @type {NodeListOf<HTMLImageElement>} */
      const seen = mine.querySelectorAll("img:not(details:not([open]) *)");
      const drawn = [...seen].map(({ src }) => src);
      media.forEach(({ kind, value: { data, uri } }, i) => {
        if (
          (i < length && data && drawn.some((src) => src.endsWith(data))) ||
          (kind === "link" && uri && mine.textContent?.includes(uri)) ||
          (i >= length && saidIn(`${mine.textContent}`)(pictures[i].textContent))
        )
          pictures[i].remove();
      });
    } catch (error) {
      if (!mine.isConnected) return;
      place.replaceChildren(plainly(messageOf(error)), ...renderResult(result, show, args));
      if (app.getHostCapabilities()?.logging)
        app.sendLog({
          level: "warning",
          logger: "view",
          data: `The fragment drew nothing: ${messageOf(error)}`,
        });
    }
  };
}

/**
 * Draws what a result says beside the data that the view was given, and the view did not draw: what
 * comes before the data above the view, the rest and notes to the model beneath it. Each call takes the place of the one before.
 * @param {HTMLElement} root the view's @param {Show} show
 * @returns {(parts: Part[], data: any) => void}
 */
function besideOf(root, show) {
  /** @type {HTMLElement[]} */
  let drawn = [];
  return (parts, data) => {
    for (const node of drawn) node.remove();
    const isGiven = givenIn(data);
    const first = parts.findIndex(isGiven);
    const others = parts
      .map((part, i) => ({ part, isAbove: i < first && !isNote(part) }))
      .filter(({ part }) => !isMedium(part) && !isGiven(part))
      .map(({ part, isAbove }) => ({ part: restOf(part, data), isAbove }));
    const nodes = renderParts(
      others.map(({ part }) => part),
      show,
      false,
    );
    const shown = shownIn(root);
    const isDrawn = saidIn(shown);
    const isTold = repeatsWords(`${shown} ${JSON.stringify([data, show.args])}`);
    const isSaid = (/** @type {Part} */ { kind, text, value }) => {
      const leaves = [...walk(value)].filter(([, one]) => !isBranch(one));
      return kind !== "data"
        ? isTold(string(text))
        : leaves.length <= FEW && isTold(leaves.map(([, one]) => one).join(" "));
    };
    const missing = others
      .map((one, i) => ({ ...one, node: nodes[i] }))
      .filter(({ part, node }) => !isDrawn(part.text) && !isDrawn(node.textContent) && !isSaid(part))
      .map((one) =>
        one.isAbove || !isReport(one.part)
          ? one
          : {
              ...one,
              node: fold(shorten(string(one.part.text).replace(/[#*_`=]+|-{3,}/g, ""), GIST), () => [
                one.node,
              ]),
            },
      );
    root.before(...missing.filter(({ isAbove }) => isAbove).map(({ node }) => node));
    root.after(...missing.filter(({ isAbove }) => !isAbove).map(({ node }) => node));
    drawn = missing.map(({ node }) => node);
  };
}

/** Whether a part is a long text, which mostly says in words what the view shows. @param {Part} part */
function isReport({ kind, text = "" }) {
  return kind === "text" && text.length > LONG && text.includes("\n");
}

/** Tells whether the data that a view was given has all that a part says. @param {any} data @returns {(part: Part) => boolean} */
function givenIn(data) {
  const said = alreadySaid(data);
  return ({ kind, text, value }) =>
    (kind === "data" || kind === "text") &&
    (said(text, value) || (isString(data) && !!text && data.includes(text)));
}

/** A part without the members of an object that the view was given. @param {Part} part @param {any} data @returns {Part} */
function restOf(part, data) {
  const { kind, value } = part;
  if (kind !== "data" || !isPlain(value) || !isPlain(data) || !keysOf(value).some((key) => hasOwn(data, key)))
    return part;
  const rest = entriesOf(value).filter(([key, one]) => !alike(own(data, key), one));
  return { kind, value: fromEntries(rest) };
}

/**
 * Tells whether a text stands in what is shown, however it is set.
 * @param {string} shown
 * @returns {(text: string | null | undefined) => boolean}
 */
function saidIn(shown) {
  const seen = lettersOf(shown);
  return (text) => !!text && seen.includes(lettersOf(text));
}

/** The letters and figures of a text, however it is set. @param {string} text */
function lettersOf(text) {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "") || text.trim()
  );
}

/**
 * The first table of a drawing is shown as the first one of the drawing before, and so on: sorted,
 * filtered and opened as the person left it. What is the data, or a member of it, has the words of the schema.
 * @param {Show} show @param {any} data
 */
function placesIn(show, data) {
  /** @type {Record<string, number>} */
  const asked = {};
  return (/** @type {string} */ part, /** @type {unknown} */ value) => {
    const key = isBranch(value) ? keysOf(plain(data)).find((name) => data[name] === value) : undefined;
    const { schema } = value === data ? show : key === undefined ? show.at("", {}) : show.at(key);
    return show.at(`${part} ${(asked[part] = (asked[part] ?? 0) + 1)}`, schema);
  };
}

/** @param {Part} part */
function isImage({ kind }) {
  return kind === "image";
}

/** What a fragment has no means to draw. @param {{ kind: string }} part */
function isMedium({ kind }) {
  return kind !== "data" && kind !== "text";
}

/**
 * An element that takes what the kit's own parts take: what is false or nothing is left out, and not written. So is a
 * number that is alone and 0: what is left of `rows.length && part`.
 * @param {HTMLElement} node
 */
function leavingOut(node) {
  const append = node.append.bind(node);
  node.append = (...children) =>
    put({ append: (/** @type {any} */ one) => one !== 0 && append(one) }, children);
  return node;
}

/** @param {HTMLElement} root */
function isBlank(root) {
  return !root.textContent?.trim() && !root.querySelector(PICTURES);
}

/** Says why the result stands there plainly. @param {string} reason */
function plainly(reason) {
  return el(
    "p.notice",
    { role: "note" },
    `The view made for this tool could not show this result (${shorten(reason, 200)}).`,
  );
}
