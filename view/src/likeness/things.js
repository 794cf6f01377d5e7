/** Small things drawn with what every view has: windows, papers, messages, files, steps. */
import { entriesOf, isPlain, isString, list } from "../kit/plain.js";

/** @typedef {Record<string, any>} Ui the kit as views get it */

const MAX_STEPS = 20;
const MAX_STARS = 10;
const MAX_SWATCHES = 60;
const COLOUR = /^(#[\da-f]{3,8}|(rgb|hsl|oklch|oklab|lab|lch|hwb)a?\([\d\s.,%/a-z+-]+\)|[a-z]{3,20})$/i;

/** The window of a browser around what it shows. @param {Ui} ui @param {any} address @param {any[]} parts */
export function browser(ui, address, ...parts) {
  return ui.el(
    "div.frame.browser",
    ui.el("div.frame-head", ui.el("i.lights"), address ? ui.el("code", `${address}`) : false),
    ui.el("div.frame-body", ...drawn(ui, parts)),
  );
}

/** A sheet of paper with what stands on it. @param {Ui} ui @param {any[]} parts */
export function paper(ui, ...parts) {
  return ui.el("div.paper", ...drawn(ui, parts));
}

/** A command and what it printed. @param {Ui} ui @param {any} command @param {any} output */
export function terminal(ui, command, output) {
  return ui.el(
    "div.frame.terminal",
    ui.el("div.frame-head", ui.el("i.lights")),
    ui.el(
      "div.frame-body",
      command ? ui.el("code.command", `${command}`) : false,
      output ? ui.log(output) : false,
    ),
  );
}

/**
 * What someone wrote, with who, when, to whom and about what.
 * @param {Ui} ui @param {any} from @param {any} text a text, which is read as Markdown, or a part
 * @param {{ to?: any, date?: any, title?: any }} [options]
 */
export function message(ui, from, text, { to, date, title } = {}) {
  const initials = `${from ?? ""}`
    .match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)
    ?.slice(0, 2)
    .join("")
    .toUpperCase();
  return ui.el(
    "article.message",
    ui.el("span.initials", { "aria-hidden": "true" }, initials),
    ui.el(
      "div.stack",
      ui.el(
        "div.message-head",
        ui.el("b", `${from ?? "\u2013"}`),
        to ? ui.el("span.hint", `to ${[to].flat().join(", ")}`) : false,
        date ? ui.el("span.hint", ui.date(date, { time: true })) : false,
      ),
      title ? ui.el("h4", `${title}`) : false,
      isString(text) ? ui.markdown(text) : text,
    ),
  );
}

/** A file by its path. @param {Ui} ui @param {any} path @param {{ hint?: any, actions?: any }} [options] `actions`: controls */
export function file(ui, path, { hint, actions } = {}) {
  const [, folder, name] = /** @type {string[]} */ (/^(.*?)([^/\\]*[/\\]?)$/s.exec(`${path ?? "\u2013"}`));
  const kind = /\.(\w{1,5})$/.exec(name)?.[1] ?? "";
  return ui.el(
    "div.file-card",
    ui.el("span.file-kind", kind ? kind.toUpperCase() : ui.icon("file")),
    ui.el(
      "div",
      ui.el("b", name),
      ui.el("span.hint", [folder, hint].filter(Boolean).map(String).join(" \u00b7 ")),
    ),
    ui.el(
      "div.bar",
      actions ?? false,
      ui.el(
        "button.quiet",
        { type: "button", "aria-label": `Copy path of ${name}`, onclick: () => ui.copy(`${path}`) },
        "Copy path",
      ),
    ),
  );
}

/** What a state says of a step. @param {any} state @returns {[string, string]} the tone and the sign */
function stateOf(state) {
  if (state === true || /^(ok|done|good|passed|complete|success)/i.test(state)) return ["ok", "\u2713"];
  if (state === false || /^(bad|fail|error|broken)/i.test(state)) return ["bad", "\u2717"];
  return /^(now|active|running|current|in.progress|pending)/i.test(state) ? ["accent", ""] : ["", ""];
}

/** Steps one after the other, each done, failed, under way or still to come. @param {Ui} ui @param {any} given a list of `{ label, state, hint }` or of labels */
export function steps(ui, given) {
  const all = list(given)
    .slice(0, MAX_STEPS)
    .map((one) => (isPlain(one) ? one : { label: one }));
  return (
    all.length > 0 &&
    ui.el(
      "ol.steps",
      all.map(({ label, state, hint }, i) => {
        const [tone, sign] = stateOf(state);
        const words = ["ok", "bad"].includes(tone)
          ? { role: "img", "aria-label": tone === "ok" ? "done" : "failed" }
          : {};
        return ui.el(
          "li",
          { "data-tone": tone || null },
          ui.el("i", words, sign || `${i + 1}`),
          ui.el("b", `${label ?? "\u2013"}`),
          hint ? ui.el("span.hint", `${hint}`) : false,
        );
      }),
    )
  );
}

/** Stars out of so many. @param {Ui} ui @param {any} value @param {{ max?: number }} [options] */
export function rating(ui, value, { max = 5 } = {}) {
  const most = Math.min(Math.max(Math.round(Number(max)) || 5, 1), MAX_STARS);
  const stars =
    isString(value) && /^[\u2605\u2b50\ufe0f\s]+$/.test(value)
      ? (value.match(/\u2605|\u2b50/g) ?? []).length
      : Number(value);
  if (!Number.isFinite(stars) || stars < 0 || stars > most) return undefined;
  const row = ui.el(
    "span.rating",
    { role: "img", "aria-label": `${ui.number(stars)} of ${most}` },
    "\u2605".repeat(most),
  );
  row.style.setProperty("--share", `${(100 * stars) / most}%`);
  return row;
}

/** Colours as they look, each with its name. @param {Ui} ui @param {any} given a colour, a list of them, or an object of colours by name */
export function swatches(ui, given) {
  const pairs = isPlain(given) ? entriesOf(given) : [given].flat().map((one) => ["", one]);
  const all = pairs.filter(([, one]) => isString(one) && COLOUR.test(one)).slice(0, MAX_SWATCHES);
  return (
    all.length > 0 &&
    ui.el(
      "div.swatches",
      all.map(([name, colour]) => {
        const square = ui.el("i");
        square.style.backgroundColor = colour;
        return ui.el(
          "button.quiet",
          { type: "button", title: "Copy", onclick: () => ui.copy(colour) },
          square,
          name ? ui.el("b", name) : false,
          ui.el("code", colour),
        );
      }),
    )
  );
}

/** Elements as they are, values as their shape asks. @param {Ui} ui @param {any[]} parts */
function drawn(ui, parts) {
  return parts
    .flat()
    .filter((one) => (one ?? false) !== false)
    .map((one) => ui.show(one));
}
