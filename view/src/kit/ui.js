import { el, stack } from "./el.js";
import { date, number } from "./format.js";
import { icon, OUTLINES } from "./icon.js";
import { entriesOf, isArray, isNothing, isString, list, own, plain, string, valuesOf } from "./plain.js";
import { chart } from "./result/chart/chart.js";
import { codeBlock } from "./result/code.js";
import { diffBlock } from "./result/diff.js";
import { graph, points } from "./result/graph.js";
import { lead } from "./result/lead.js";
import { markdown } from "./result/markdown/markdown.js";
import { card, keyValueOf, tableOf } from "./result/parts.js";
import { isData, readText } from "./result/recognise/read.js";
import { badge } from "./result/scalar.js";
import { jsonTree } from "./result/tree.js";
import { action, filter, more } from "./written/actions.js";
import "./written/outlines.js";
import { choice, grid, tabs } from "./written/layout.js";
import {
  anything,
  heroOf,
  link,
  log,
  noticeOf,
  picture,
  progress,
  recordsOf,
  rest,
  section,
  stats,
} from "./written/shapes.js";
/** @import { Child } from "./el.js" */
/** @import { Show } from "./result/show.js" */
/** @import { Outcome } from "./result/outcome.js" */

/**
 * @typedef {object} Asking what a view asks of its host
 * @property {(tool: string, args?: object) => Promise<Outcome>} call calls a tool; rejects with a readable message
 * @property {(args?: object) => Promise<unknown>} again calls the view's own tool with other arguments and draws the result
 * @property {(url: string) => Promise<unknown>} openLink
 * @property {(text: string) => Promise<unknown>} tellModel lets the model in the chat know something
 * @property {(text: string) => Promise<unknown>} ask says something in the chat in the person's name
 * @property {(text: string) => void} copy
 * @property {(name: string, content: string | Blob, type?: string) => Promise<unknown>} download saves a file
 */

/** Parts that only some pages have (`likeness/`), by name: each gets the kit, and what the view gives it. @type {Record<string, (ui: any, ...given: any[]) => any>} */
const added = plain(globalThis.McpGenUiParts);

/**
 * The kit as it is promised to views: these names and no others. The prompts tell
 * a model of each of them. A part that cannot draw what it is given shows it by its shape.
 * @param {(part: string, value?: unknown) => Show} showFor how a part of the view is shown
 * @param {Asking} asking
 * @param {Show} page what stays while the page lives
 */
export function uiOf(showFor, { call, again, openLink, tellModel, ask, copy, download }, page) {
  /** Draws a value; what that cannot be drawn so is shown as what it is. @param {string} part @param {any} value @param {(show: Show) => HTMLElement | undefined} draw undefined where it cannot */
  const part = (part, value, draw) => {
    const show = showFor(part, value);
    try {
      return draw(show) ?? anything(value, show);
    } catch {
      return anything(value, show);
    }
  };
  /** A part of the kit that draws a value with options. @param {string} name @param {(value: any, options: any, show: Show) => HTMLElement | undefined} draw */
  const drawn = (name, draw) => (/** @type {any} */ value, /** @type {any} */ options) =>
    part(name, value, (show) => draw(value, plain(options), show));
  /** A part for texts. @param {string} name @param {(text: string, show: Show, more: string) => HTMLElement} draw */
  const words = (name, draw) => (/** @type {any} */ text, /** @type {any} */ more) =>
    part(name, text, (show) => (isString(text) ? draw(text, show, string(more)) : undefined));
  /** @param {string} name @param {"records" | "timeline" | "board"} look */
  const records = (name, look) => drawn(name, (rows, options, show) => recordsOf(rows, options, show, look));

  /** @type {Record<string, any>} */
  const kit = {
    el,
    card,
    number,
    date,
    call,
    again,
    openLink,
    tellModel,
    ask,
    copy,
    download,
    section,
    grid,
    /** @param {any} value @param {{ as?: string, title?: string }} [options] `as`: the name of a part */
    show: (value, options) => {
      const { as, title } = plain(options);
      // A text around data is not formatted text, whatever a view takes it for.
      const node =
        AS.includes(string(as)) && !(as === "markdown" && kit.read(value))
          ? kit[string(as)](value)
          : part("show", value, (show) => lead(value, show) ?? anything(value, show));
      return string(title) ? section(string(title), node) : node;
    },
    /** @param {any} data @param {any} [known] */
    rest: (data, known = []) =>
      part("rest", data, (show) =>
        isArray(data) || isString(data) ? anything(data, show) : rest(data, list(known), show),
      ),
    /** @param {any} text @param {string} [tone] nothing is no badge */
    badge: (text, tone) => !isNothing(text) && text !== "\u2013" && badge(`${text}`, tone),
    hero: drawn("hero", heroOf),
    stats: drawn("stats", stats),
    records: records("records", "records"),
    timeline: records("timeline", "timeline"),
    status: records("status", "board"),
    /** @param {any} nodes @param {any} edges */
    graph: (nodes, edges) => part("graph", edges, () => graph(nodes, edges)),
    points: drawn("points", points),
    table: drawn("table", (rows, options, show) => tableOf(rows, { ...options, show })),
    chart: drawn("chart", chart),
    keyValue: drawn("names", (object, options, show) => keyValueOf(object, { ...options, show })),
    tree: drawn("tree", (value, _, show) => jsonTree(value, show)),
    notice: noticeOf,
    progress: drawn("progress", progress),
    markdown: words("markdown", (text, show) => markdown(text, { show })),
    diff: words("diff", diffBlock),
    code: words("code", (text, show, language) => codeBlock(text, language, show)),
    log: drawn("log", log),
    image: drawn("image", picture),
    /** @param {any} url @param {any} [words] */
    link: (url, words) => link(url, words, page),
    /** The data in a text, rows as objects; undefined where none is. What is no text is data already. @param {any} text */
    read: (text) => {
      const { kind, value } = plain(isString(text) ? readText(text).find(isData) : { value: text });
      return kind === "table" ? value.rows : value;
    },
    /** @param {any} name */
    icon: (name) => icon(own(OUTLINES, `${name}`) ?? ""),
    /** @param {(Child | Child[])[]} children */
    stack: (...children) => stack(null, ...children),
    /** @param {(Child | Child[])[]} children */
    row: (...children) =>
      el("div.across", null, ...children.flat().map((one) => (one && isString(one) ? el("span", one) : one))),
    tabs: drawn("tabs", (parts, _, show) => tabs(parts, show)),
    /** @param {string} label @param {any} act @param {any} [args] @param {any} [options] */
    action: (label, act, args, options) => action(label, act, args, plain(options), call, showFor("action")),
    /** @param {string} tool @param {any} args @param {any} [options] */
    more: (tool, args, options) => more(tool, args, plain(options), call, showFor("more")),
    /** @param {any} label @param {any} values @param {(value: any) => void} onchange @param {any} [chosen] */
    choice: (label, values, onchange, chosen) =>
      choice(label, values, onchange, chosen, valuesOf(plain(page.args))),
    /** @param {any} rows @param {(found: any[]) => any} draw */
    filter: (rows, draw) => part("filter", rows, (show) => filter(rows, draw, show)),
    /** An object whose `value` stays when a new result is drawn. @param {string} key @param {any} [initial] */
    state: (key, initial) => page.at("state", {}).remember(`${key}`, { value: initial }),
  };
  for (const [name, draw] of entriesOf(added))
    kit[name] = (/** @type {any[]} */ ...given) =>
      part(name, given[0], () => draw(kit, ...given) || undefined);
  return kit;
}

/** The parts that `show` can draw a value with. */
const AS = [
  "records",
  "timeline",
  "status",
  "table",
  "chart",
  "keyValue",
  "tree",
  "stats",
  "markdown",
  "diff",
  "code",
  "log",
  "image",
];
