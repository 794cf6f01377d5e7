import { fragment, fragmentDrawing } from "../fragment.js";
import { el } from "../kit/el.js";
import { isPlain, isString, list, string } from "../kit/plain.js";
import { installBlockedSubmit } from "../runtime/blocked-submit.js";
import { limitCalls } from "../runtime/gate.js";
import { minimalDrawing } from "../shell/minimal-drawing.js";
import { TEMPLATE_ID } from "../shell/template.js";
import { runScript } from "./first.js";
/** @import { Around } from "../auto.js" */
/** @import { Draw } from "../shell/result-area.js" */

/** Where a person may be typing. */
const TYPED = "input, select, textarea";

/**
 * @typedef {object} Part a view, as the wrapper answers it
 * @property {string} style
 * @property {string} template
 * @property {string} script
 * @property {string[]} related names of the tools that it may call
 *
 * @typedef {{ place: HTMLElement, result: any, args: any }} Drawn
 * @typedef {Parameters<typeof fragment>} Code
 */

/** What the last script of a part handed over. @type {Code | undefined} */
let code;

/** What the script of a part calls. @type {typeof fragment} */
export function take(...given) {
  code = given;
  fragment(...given);
}

/**
 * Draws results as the present part does, or as the minimal view without one.
 * @param {Around} around
 */
export function swappable(around) {
  /** @type {Drawn | undefined} */
  let last;
  /** @type {Part | undefined} */
  let present;
  /** @type {Draw | undefined} */
  let written;
  const style = el("style", { id: "mcp-gen-ui-part" });
  const template = el("script", { type: "application/json", id: TEMPLATE_ID });
  const minimal = minimalDrawing(around);
  const own = {
    ...around,
    onown(/** @type {any} */ result, /** @type {any} */ args) {
      if (last) last = { ...last, result, args };
      around.onown(result, args);
    },
  };

  /** @type {(...what: Parameters<Draw>) => Promise<void>} */
  const draw = async (place, result, args) => {
    last = { place, result, args };
    if (!present) return minimal(place, result, args);
    if (!written) {
      installBlockedSubmit();
      written = fragmentDrawing(own);
    }
    return written(place, result, args);
  };

  const put = (/** @type {Part | undefined} */ part) => {
    present = part;
    style.textContent = part?.style ?? "";
    template.textContent = JSON.stringify(part?.template ?? "");
    limitCalls(around.page.tool, part?.related ?? around.page.related);
  };

  /** Whether the last result is what the page shows now. */
  const isShown = () => !!last?.place.isConnected && /^(done|doubtful)$/.test(last.place.parentElement?.dataset.state ?? "");

  /**
   * Puts a part in the place of the present one, with the same result and arguments. Where it draws nothing, the old one stands.
   * @param {Part | undefined} part nothing for the minimal view
   */
  const swap = async (part) => {
    const [before, codeBefore] = [present, code];
    const back = () => {
      put(before);
      if (codeBefore) take(...codeBefore);
    };
    document.head.append(style, template);
    if (part) {
      code = undefined;
      runScript(part.script);
      if (!code) return back();
    }
    put(part);
    if (!last || !isShown()) return;
    const { place, result, args } = last;
    const nodes = [...place.childNodes];
    const top = document.scrollingElement?.scrollTop ?? 0;
    place.replaceChildren();
    const drawing = draw(place, result, args);
    const mine = last;
    if (document.scrollingElement) document.scrollingElement.scrollTop = top;
    await drawing;
    if (!part || last !== mine || place.querySelector(":scope > .written")) return;
    back();
    place.replaceChildren(...nodes);
  };

  /** Resolves when no one is typing into the result. */
  const quiet = async () => {
    const { activeElement } = document;
    while (last?.place.contains(document.activeElement) && document.activeElement?.matches(TYPED))
      await new Promise((resolve) => activeElement?.addEventListener("focusout", () => setTimeout(resolve), { once: true }));
  };

  return {
    draw,
    /** @param {any} answer of the wrapper */
    async show(answer) {
      await quiet();
      await swap(partOf(answer));
    },
  };
}

/** The part in an answer; undefined for the minimal view. @param {any} answer @returns {Part | undefined} */
function partOf(answer) {
  if (!isPlain(answer) || !isString(answer.script)) return undefined;
  const { style, template, script, related } = answer;
  return { style: string(style), template: string(template), script, related: list(related).filter(isString) };
}
