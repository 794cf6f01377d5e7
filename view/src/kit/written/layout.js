import { button, el, inLine, newId, stack } from "../el.js";
import { number } from "../format.js";
import { entriesOf, isArray, isNumber, isPlain, min, plain } from "../plain.js";
import { anything } from "./shapes.js";
/** @import { Child } from "../el.js" */
/** @import { Show } from "../result/show.js" */

const NARROWEST = 220;
const MOST_BUTTONS = 5;

/** Parts in columns of equal width, as many as fit. @param {any} narrowest of a column, in pixels @param {(Child | Child[])[]} parts */
export function grid(narrowest, ...parts) {
  const isWidth = narrowest > 0;
  const cells = el("div.cells", isWidth ? [] : narrowest, ...parts);
  cells.style.gridTemplateColumns = `repeat(auto-fill, minmax(min(100%, ${isWidth ? narrowest : NARROWEST}px), 1fr))`;
  return cells;
}

/**
 * One of several parts at a time. The arrow keys go from tab to tab; the chosen one stays when a new result is drawn.
 * @param {any} given contents by label, or a list of `{ label, content }`: elements, functions that make them when they are first opened, or data
 * @param {Show} show
 */
export function tabs(given, show) {
  const all = isArray(given)
    ? given.filter(isPlain).map(({ label, content }) => [`${label}`, content])
    : entriesOf(plain(given));
  if (!all.length) return undefined;
  const state = show.remember("tabs", { label: all[0][0] });
  const ids = all.map(newId);
  const panel = stack({ role: "tabpanel", id: newId(), tabindex: 0 });
  /** @type {Map<number, HTMLElement>} */
  const made = new Map();
  const open = (/** @type {number} */ at) => {
    const [label, content] = all[at];
    state.label = label;
    if (!made.has(at)) made.set(at, drawn(content, show.at(label, {})));
    panel.replaceChildren(/** @type {HTMLElement} */ (made.get(at)));
    panel.setAttribute("aria-labelledby", ids[at]);
    heads.forEach((head, i) => {
      head.ariaSelected = `${i === at}`;
      head.tabIndex = i === at ? 0 : -1;
    });
  };
  const heads = all.map(([label], i) =>
    button(label, () => open(i), {
      role: "tab",
      id: ids[i],
      "aria-controls": panel.id,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const last = all.length - 1;
        /** @type {Record<string, number>} */
        const places = { ArrowRight: i < last ? i + 1 : 0, ArrowLeft: i ? i - 1 : last, Home: 0, End: last };
        const to = places[event.key];
        if (to === undefined) return;
        event.preventDefault();
        open(to);
        heads[to].focus();
      },
    }),
  );
  open(
    Math.max(
      0,
      all.findIndex(([label]) => label === state.label),
    ),
  );
  return stack(el("div.tabs", { role: "tablist" }, heads), panel);
}

/** @param {any} content @param {Show} show */
function drawn(content, show) {
  try {
    return anything(typeof content === "function" ? content() : content, show);
  } catch (error) {
    return anything(`This part could not be drawn: ${error}`, show);
  }
}

/**
 * A choice of one of a few values: buttons beside each other, or a list where there are many.
 * @param {any} label @param {any} given values, or `{ value, label }` @param {(value: any) => void} onchange
 * @param {any} chosen the value at first; without it one that the call was made with
 * @param {unknown[]} called the arguments of the call
 */
export function choice(label, given, onchange, chosen, called) {
  const all = [given]
    .flat()
    .map((one) =>
      isPlain(one)
        ? { value: one.value, label: `${one.label ?? one.value}` }
        : { value: one, label: isNumber(one) ? number(one) : `${one}` },
    );
  const first = chosen ?? all.map(({ value }) => value).find((value) => called.includes(value));
  const choose = (/** @type {number} */ at) => {
    buttons.forEach((one, i) => {
      one.ariaPressed = `${i === at}`;
    });
    onchange(all[at].value);
  };
  const buttons = all.map((one, i) =>
    button(one.label, () => choose(i), { "aria-pressed": `${one.value === first}` }),
  );
  return inLine(
    label && el("span.count", { "aria-hidden": "true" }, label),
    buttons.length > MOST_BUTTONS
      ? el(
          "select.picker",
          {
            "aria-label": label,
            onchange: (/** @type {any} */ { target }) =>
              onchange(all[min(target.selectedIndex, all.length - 1)].value),
          },
          all.map((one) => el("option", { selected: one.value === first }, one.label)),
        )
      : el("div.switch", { role: "group", "aria-label": label }, buttons),
  );
}
