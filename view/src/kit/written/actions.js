import { button, el, inLine, quietButton, stack } from "../el.js";
import { plural } from "../format.js";
import { isBranch, isNothing, isString, keysOf, list, messageOf, plain } from "../plain.js";
import { notice } from "../result/figures.js";
import { rowOrder } from "../result/table/order.js";
import { filterBox } from "../result/table/tools.js";
import { anything } from "./shapes.js";
/** @import { Outcome } from "../result/outcome.js" */
/** @import { Show } from "../result/show.js" */

/** @typedef {(tool: string, args?: object) => Promise<Outcome>} Call */

/**
 * Runs what a button is for: the button waits, and what went wrong is said in words.
 * @param {HTMLButtonElement} press @param {HTMLElement} place for the words @param {() => Promise<void>} task
 */
async function busily(press, place, task) {
  if (press.ariaBusy === "true") return;
  press.ariaBusy = press.ariaDisabled = "true";
  place.replaceChildren();
  try {
    await task();
  } catch (error) {
    place.replaceChildren(el("div", { role: "alert" }, notice(messageOf(error), "bad")));
  }
  press.ariaBusy = press.ariaDisabled = null;
}

/**
 * A button that calls a tool, or a function. It waits while the call runs, and says beneath it what went wrong.
 * @param {string} label
 * @param {string | (() => any)} act
 * @param {any} args or a function that returns them when the button is pressed
 * @param {any} options `confirm`: words on a second button, which has to be pressed too; `then`: what to do with the
 *   data, and perhaps an element to show; without it the result is shown beneath the button
 * @param {Call} call @param {Show} show
 */
export function action(label, act, args, { confirm, then, tone }, call, show) {
  const place = stack({ "aria-live": "polite" });
  const isBad = tone === "bad" || confirm;
  const task = async () => {
    if (!isString(act)) return void (await act());
    const { data, meta } = await call(act, plain(typeof args === "function" ? args() : args));
    const drawn = then ? await then(data, meta) : anything(data, show);
    place.replaceChildren(...(drawn instanceof Node ? [drawn] : []));
  };
  const press = button(label, () => (confirm ? ask(true) : busily(press, place, task)), {
    class: tone === "primary" ? "primary" : /^Copy\b/.test(label) && "quiet",
  });
  if (!isBad || !confirm) return el("div.action", press, place);
  const sure = button(
    isString(confirm) ? confirm : label,
    () => {
      ask(false);
      busily(press, place, task);
    },
    { class: "danger" },
  );
  const cancel = quietButton("Cancel", () => ask(false));
  const asking = inLine(
    {
      hidden: true,
      role: "group",
      "aria-label": `${label}?`,
      onkeydown: (/** @type {KeyboardEvent} */ { key }) => {
        if (key === "Escape") ask(false);
      },
    },
    sure,
    cancel,
  );
  const ask = (/** @type {boolean} */ on) => {
    asking.hidden = !on;
    press.hidden = on;
    (on ? cancel : press).focus();
  };
  return el("div.action", press, asking, place);
}

/**
 * A button for the next page: what the tool returns is drawn beneath what is there.
 * @param {string} tool @param {any} args
 * @param {any} options `draw`: makes an element of the data; `next`: the arguments of the page after that, or nothing at
 *   the end; without it there is no further page
 * @param {Call} call @param {Show} show
 */
export function more(
  tool,
  args,
  { draw = (/** @type {any} */ data) => anything(data, show), next, label = "Show more" },
  call,
  show,
) {
  const pages = stack(null);
  const place = stack(null);
  let given = args;
  const press = button(
    label,
    () =>
      busily(press, place, async () => {
        const { data, meta } = await call(tool, plain(given));
        const page = draw(data, meta);
        if (page instanceof Node) pages.append(page);
        given = next?.(data, meta);
        if (isNothing(given)) press.remove();
      }),
    { class: "more-rows" },
  );
  return stack(pages, press, place);
}

/**
 * A search box over rows: what is found is drawn again at each letter.
 * @param {any} rows @param {(found: any[]) => any} draw @param {Show} show
 */
export function filter(rows, draw, show) {
  const all = list(rows);
  const state = show.remember("filter", { words: "" });
  const order = rowOrder(all.map((one) => (isBranch(one) ? one : { value: one })));
  const columns = [...new Set(all.flatMap((one) => (isBranch(one) ? keysOf(one) : ["value"])))];
  const place = stack(null);
  const count = el("span.count", { role: "status" });
  const put = () => {
    const found = order.find(state.words, columns).map((at) => all[at]);
    place.replaceChildren(anything(draw(found), show));
    count.textContent = plural(found.length, "entry", "entries");
  };
  put();
  return stack(
    el(
      "div.bar.filter",
      filterBox(state.words, (words) => {
        state.words = words;
        put();
      }),
      count,
    ),
    place,
  );
}
