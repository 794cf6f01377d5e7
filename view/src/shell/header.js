import { button, el } from "../kit/el.js";
import { nameWords, plural, shorten } from "../kit/format.js";
import { SECRET } from "../kit/form/controls.js";
import { icon, OUTLINES } from "../kit/icon.js";
import {
  asText,
  entriesOf,
  isArray,
  isBranch,
  isPlain,
  keysOf,
  own,
  plain,
  propertiesOf,
  string,
  valuesOf,
} from "../kit/plain.js";
import { check } from "../kit/schema/check.js";
import { image } from "../kit/result/media.js";
import { CUT } from "../kit/result/render.js";
/** @import { Show } from "../kit/result/show.js" */
/** @import { PageData } from "./page-data.js" */
/** @import { Plain } from "../kit/plain.js" */

/** More of the arguments than fits on any line. */
const MOST_ARGUMENTS = 12;

/** The words a person knows the tool by: its title, or its name without the server's. @param {any} tool @param {string} server */
export function toolTitle(tool, server) {
  const name = string(tool.name);
  const given = [tool.title, plain(tool.annotations).title].map((one) => string(one).trim());
  return (
    given.find((title) => title && title !== name) ||
    nameWords(name.replace(RegExp(`^mcp[_-](${/(?!mcp)[a-z\d]+/i.exec(server)}[_-])?(?=.)`, "i"), "")) ||
    "Tool"
  );
}

/** Whether a tool can change or delete things. @param {any} tool */
export function isDestructive(tool) {
  return plain(tool.annotations).destructiveHint === true;
}

/**
 * @typedef {object} Header
 * @property {HTMLElement} element
 * @property {(args: Plain) => void} setArguments shows the arguments of the result
 * @property {(text: string) => void} setSummary
 * @property {(words: string, tone?: string) => void} setStatus how the call goes, for everybody with a tone, else for screen readers
 * @property {(text: string) => void} setSeconds
 * @property {(open: boolean) => void} setOpen whether the form is open
 * @property {(on: boolean) => void} setRaw whether the result is shown as it came
 * @property {(stoppable: boolean) => void} setStoppable whether there is a call to cancel, in place of the menu
 * @property {() => void} focus
 */

/**
 * One line above the result: what it is, with which arguments, and a menu for everything else.
 * @param {PageData} page
 * @param {Show} show
 * @param {{ isAsking: boolean, edit: () => void, again: () => void, raw: () => void, cancel: () => void, menu: { elements: HTMLElement[], button: HTMLElement } }} acts `isAsking`: whether there are arguments to edit, `edit`: opens or closes the form, `again`: calls the tool with the arguments that the form holds, `raw`: shows the result as it came, or no longer
 * @returns {Header}
 */
export function header(page, show, { isAsking, edit, again, raw, cancel, menu }) {
  const { tool, notice } = page;
  const title = toolTitle(tool, page.server).slice(0, 300);
  const summary = el("span.summary");
  const args = button("", edit, { class: "args", hidden: true, "aria-expanded": "false" });
  const act = button("Edit", edit, { class: "act", "aria-expanded": "false" });
  act.prepend(icon(OUTLINES.edit));
  const rerun = sign("Run again", OUTLINES.again, again);
  const json = sign("Raw JSON", OUTLINES.json, raw);
  json.ariaPressed = "false";
  const state = { isHere: false, isRunning: false, isFailed: false, isOpen: false };
  /** A failure, a cancelled call and the form have buttons of their own. @param {Partial<typeof state>} change */
  const update = (change) => {
    Object.assign(state, change);
    json.hidden = !state.isHere || state.isRunning;
    rerun.hidden = json.hidden || state.isFailed || state.isOpen;
    act.hidden = json.hidden || state.isFailed || !isAsking;
  };
  update({});
  const status = el("span.chip", { role: "status" });
  const seconds = el("span.seconds", { "aria-hidden": "true" });
  const stop = button("Cancel", cancel, { hidden: true });
  const designing =
    notice?.kind === "provisional" &&
    chip(el("span.ring"), "Designing this view\u2026", "accent", { role: "note", title: notice.text });
  const changes = isDestructive(tool) && chip(icon(OUTLINES.alert), "Changes data", "warn");
  const focus = () => [args, stop, act, rerun, menu.button].find(({ hidden }) => !hidden)?.focus();
  return {
    element: el(
      "header",
      el("span.tile", { "aria-hidden": "true" }, tileOf(page, show)),
      el("div.who", el("div", el("h1", { title }, title), summary), args),
      designing,
      changes,
      status,
      seconds,
      act,
      rerun,
      json,
      stop,
      menu.elements,
    ),
    setArguments(given) {
      const shown = argumentsOf(given, tool.inputSchema);
      args.replaceChildren(el("span.unseen", "Arguments: "), ...shown);
      args.hidden = !shown[0];
      update({ isHere: !!given });
    },
    setSummary(text) {
      summary.textContent = text.toLowerCase() === title.toLowerCase() ? "" : text;
    },
    setStatus(words, tone) {
      status.textContent = words;
      status.classList.toggle("unseen", !tone);
      status.dataset.tone = tone ?? "";
      update({ isFailed: /bad|neutral/.test(tone ?? "") });
    },
    setSeconds(text) {
      seconds.textContent = text;
    },
    setOpen(open) {
      args.ariaExpanded = act.ariaExpanded = `${open}`;
      update({ isOpen: open });
    },
    setRaw(on) {
      json.ariaPressed = `${on}`;
    },
    setStoppable(stoppable) {
      const hadFocus = stop === document.activeElement;
      stop.hidden = !stoppable;
      update({ isRunning: stoppable });
      menu.button.hidden = stoppable;
      if (hadFocus) focus();
    },
    focus,
  };
}

/** A button that shows an icon alone. @param {string} label @param {string} outline @param {() => void} act */
function sign(label, outline, act) {
  const made = button("", act, { class: "quiet sign", "aria-label": label, title: label });
  made.append(icon(outline));
  return made;
}

/** @param {PageData} page @param {Show} show */
function tileOf({ icon: { outline, picture } }, show) {
  const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/.exec(picture) ?? [];
  return data ? image({ mimeType, data, alt: " " }, show) : icon(outline);
}

/** A word or two about the whole page; beside a narrow one's title, the sign alone. @param {Node} sign @param {string} words @param {string} tone @param {object} [attributes] */
function chip(sign, words, tone, attributes) {
  return el("span.chip.brief", { "data-tone": tone, ...attributes }, sign, el("span", words));
}

/**
 * The arguments on one line. Some hosts send null for what was not given: one that the schema refuses is left out.
 * @param {Plain} args @param {any} schema @returns {(HTMLElement | string)[]}
 */
function argumentsOf(args, schema) {
  const titles = propertiesOf(schema);
  const given = entriesOf(args ?? {}).filter(
    ([name, value]) => value !== null || !check(value, own(titles, name), schema)[0],
  );
  return given
    .slice(0, MOST_ARGUMENTS)
    .flatMap(([name, value]) => [
      " ",
      el(
        "span",
        el("b", shorten(string(plain(own(titles, name)).title) || nameWords(name), 40)),
        " ",
        SECRET.test(name) ? "\u2022\u2022\u2022" : inWords(value),
      ),
    ]);
}

/** @param {any} value */
function inWords(value) {
  const parts = isBranch(value) ? valuesOf(value) : [];
  if (parts.some(isBranch))
    return isArray(value) ? plural(parts.length, "entry", "entries") : shorten(keysOf(value).join(", "), CUT);
  const text = isArray(value)
    ? value.map(asText).join(", ")
    : isPlain(value)
      ? entriesOf(value)
          .map(([name, one]) => `${name}: ${asText(one)}`)
          .join(", ")
      : asText(value);
  return shorten(text, CUT) || "\u2013";
}
