import { fragment, fragmentDrawing } from "../fragment.js";
import { el } from "../kit/el.js";
import { isPlain, isString, list, string } from "../kit/plain.js";
import { Show } from "../kit/result/show.js";
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
 * @property {string} template as JSON text
 * @property {string} script
 * @property {string[]} related names of the tools that it may call
 *
 * @typedef {{ place: HTMLElement, result: any, args: any }} Drawn
 * @typedef {Parameters<typeof fragment>} Code
 */

/** What the last script of a part handed over. @type {Code | undefined} */
let code;

/** What a person did to each kind of table and list that is on the page. @type {Map<string, any>} */
let left = new Map();
/** The same of the view that goes, while another takes its place. @type {typeof left | undefined} */
let carried;
let words = "";
const { remember } = Show.prototype;
/** @type {any} */ (Show.prototype).remember = function (
  /** @type {string} */ name,
  /** @type {any} */ initial,
) {
  const state = remember.call(this, name, initial);
  // The same columns may stand in another place now; of other rows, the words are kept that were searched for.
  if (carried && state === initial) Object.assign(state, carried.get(name) ?? { filter: words, words });
  left.set(name, state);
  return state;
};

/** What the script of a part calls. @type {typeof fragment} */
export function take(...given) {
  code = given;
  fragment(...given);
}

/** The element with this id, or else a new one. @param {string} name @param {string} id @param {object} [more] */
const elementOf = (name, id, more) => document.getElementById(id) ?? el(name, { id, ...more });

/**
 * Draws results as the present part does, or as the minimal view without one.
 * @param {Around} around
 * @param {boolean} isWritten whether the page begins with a written view
 */
export function swappable(around, isWritten) {
  /** @type {Drawn | undefined} */
  let last;
  /** @type {Draw | undefined} */
  let written;
  const style = elementOf("style", "mcp-gen-ui-part");
  const template = elementOf("script", TEMPLATE_ID, { type: "application/json" });
  /** @type {Omit<Part, "script"> | undefined} */
  let present = isWritten
    ? {
        style: string(style.textContent),
        template: string(template.textContent),
        related: around.page.related,
      }
    : undefined;
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

  const put = (/** @type {typeof present} */ part) => {
    present = part;
    style.textContent = part?.style ?? "";
    template.textContent = part?.template ?? "";
    limitCalls(around.page.tool, part?.related ?? around.page.related);
  };

  /** Whether the last result is what the page shows now. */
  const isShown = () =>
    !!last?.place.isConnected && /^(done|doubtful)$/.test(last.place.parentElement?.dataset.state ?? "");

  /**
   * Puts a part in the place of the present one, with the same result and arguments. Where it draws nothing, the old one stands.
   * @param {Part | undefined} part nothing for the minimal view
   * @returns {Promise<boolean>} whether the page shows it
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
      if (!code) {
        back();
        return false;
      }
    }
    put(part);
    if (!last || !isShown()) return true;
    const { place, result, args } = last;
    const nodes = [...place.childNodes];
    const top = document.scrollingElement?.scrollTop ?? 0;
    place.replaceChildren();
    carried = left;
    words = [...left.values()].map((one) => one.filter || one.words).find(Boolean) ?? "";
    left = new Map();
    const drawing = draw(place, result, args);
    const mine = last;
    if (document.scrollingElement) document.scrollingElement.scrollTop = top;
    await drawing;
    carried = undefined;
    if (!part || last !== mine || place.querySelector(":scope > .written")) return true;
    back();
    place.replaceChildren(...nodes);
    return false;
  };

  /** Resolves when no one is typing into the result. */
  const quiet = async () => {
    const { activeElement } = document;
    while (last?.place.contains(document.activeElement) && document.activeElement?.matches(TYPED))
      await new Promise((resolve) =>
        activeElement?.addEventListener("focusout", () => setTimeout(resolve), { once: true }),
      );
  };

  return {
    draw,
    /** @param {any} answer of the wrapper @returns {Promise<boolean>} whether the page shows it */
    async show(answer) {
      await quiet();
      return swap(partOf(answer));
    },
  };
}

/** The part in an answer; undefined for the minimal view. @param {any} answer @returns {Part | undefined} */
function partOf(answer) {
  if (!isPlain(answer) || !isString(answer.script)) return undefined;
  const { style, template, script, related } = answer;
  return {
    style: string(style),
    template: JSON.stringify(template),
    script,
    related: list(related).filter(isString),
  };
}
