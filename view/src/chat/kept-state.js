import { entriesOf, fromEntries, hasOwn, isPlain, isString, list, own, plain } from "../kit/plain.js";
import { argumentsNow, listenTo } from "./selected.js";
/** @import { Page } from "./index.js" */

/** So long nothing changes before the state is sent, and so long it takes between two times: some hosts ask the person about a call. */
const QUIET_MS = 400;
const PAUSE_MS = 2_000;
/** So often in a row a wrapper that has kept something may fail: it may have been started again. */
const SPARE = 3;
/** The wrapper keeps no more characters of one view. */
const MOST_CHARACTERS = 8_000;

/** @typedef {{ parts?: Record<string, any>, draft?: Record<string, any> }} Kept */

/** What may be kept of the state of a part: what a person chose, and not the rows. @param {any} state @returns {Record<string, any>} */
function chosenIn(state) {
  const kept = entriesOf(state).filter(
    ([key, value]) => key === "value" || value instanceof Set || /string|number|boolean/.test(typeof value),
  );
  return fromEntries(kept.map(([key, value]) => [key, value instanceof Set ? [...value] : value]));
}

/** Puts what was kept into the state of a part. @param {any} state @param {any} kept */
function restore(state, kept) {
  for (const [key, value] of entriesOf(plain(kept)))
    if (hasOwn(state, key)) state[key] = state[key] instanceof Set ? new Set(list(value)) : value;
}

/**
 * Has the wrapper keep what a person did to the page, where the host says which view it is, and gets it back when the page is loaded again.
 * @param {Page} page
 * @param {(args: object) => Promise<any>} ask
 */
export function keptState(page, ask) {
  const { app, inputs, memory, redraw } = page;
  /** The state with which each part began, as text. @type {Map<string, string>} */
  const began = new Map();
  /** @type {Record<string, any>} */
  let restored = {};
  /** @type {unknown} */
  let id;
  let sent = "";
  let sentMs = -PAUSE_MS;
  let isEdited = false;
  /** How many failures are borne from now on. */
  let spare = 0;
  let isOver = false;
  /** @type {any} */
  let timer;

  const { set } = memory;
  memory.set = (key, state) => {
    began.set(key, JSON.stringify(chosenIn(state)));
    restore(state, own(restored, key));
    return set.call(memory, key, state);
  };

  const asking = async (/** @type {object} */ more) => {
    const { kept } = await ask({ view: `${id}`, ...more });
    if (isPlain(kept)) spare = SPARE;
    else {
      // No answer, a refusal, or a wrapper that keeps nothing: if it never was otherwise, that stays so.
      isOver = !spare--;
      sent = "";
    }
    return plain(kept);
  };

  /** @returns {Kept} */
  const now = () => {
    /** @type {Kept} */
    const kept = {};
    const fits = (/** @type {Kept} */ more) => JSON.stringify({ ...kept, ...more }).length <= MOST_CHARACTERS;
    const draft = isEdited && argumentsNow(page);
    if (draft && fits({ draft })) kept.draft = draft;
    for (const [key, state] of memory) {
      const chosen = chosenIn(state);
      const parts = { ...kept.parts, [key]: chosen };
      if (JSON.stringify(chosen) !== began.get(key) && fits({ parts })) kept.parts = parts;
    }
    return kept;
  };
  const send = async () => {
    clearTimeout(timer);
    const keep = now();
    const text = JSON.stringify(keep);
    if (isOver || text === sent) return;
    sent = text;
    sentMs = performance.now();
    await asking({ keep });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(send, Math.max(QUIET_MS, sentMs + PAUSE_MS - performance.now()));
  };

  return {
    async begin() {
      id = app.getHostContext()?.toolInfo?.id;
      isOver = !isString(id) && typeof id !== "number";
      if (isOver) return;
      const { onteardown } = app;
      app.onteardown = async (/** @type {any[]} */ ...given) => {
        await send();
        return (await onteardown?.(...given)) ?? {};
      };
      listenTo("input", ({ target }) => {
        isEdited ||= !!target.closest("form");
        later();
      });
      for (const type of ["click", "change", "keyup"]) listenTo(type, later);
      // The page goes: what was not sent yet is sent at once.
      addEventListener("pagehide", send);
      listenTo("visibilitychange", () => {
        if (document.hidden) send();
      });
      const before = await asking({});
      const { parts, draft } = /** @type {Kept} */ (before);
      sent = JSON.stringify(before);
      restored = plain(parts);
      for (const [key, state] of memory) restore(state, own(restored, key));
      if (isPlain(draft)) {
        inputs.fill({ ...inputs.peek(), ...draft });
        // The form must know that a person has edited it.
        document.querySelector("form")?.dispatchEvent(new Event("input", { bubbles: true }));
      }
      if (entriesOf(restored).length) redraw();
    },
  };
}
