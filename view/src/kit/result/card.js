import { button, el, note, stack } from "../el.js";
import { plural, shorten } from "../format.js";
import { icon, OUTLINES } from "../icon.js";
import { instantOf } from "../instant.js";
import { namesThings } from "../meaning.js";
import {
  asText,
  ceil,
  entriesOf,
  fromEntries,
  hasOwn,
  isArray,
  isBoolean,
  isBranch,
  isNumber,
  isPlain,
  isString,
  keysOf,
  lastly,
  list,
  min,
  own,
  plain,
  same,
  string,
  valuesOf,
} from "../plain.js";
import { HAS_WRITTEN_VIEW } from "../written/has-view.js";
import { cell, isToken } from "./cell.js";
import { figure, hero, isTerse, notice } from "./figures.js";
import { keptFold } from "./fold.js";
import { saysDone } from "./lead.js";
import { withLinks } from "./markdown/inline.js";
import { areOthers, isName, isShort, tellsApart } from "./naming.js";
import { isBig, soleKey } from "./nested.js";
import { looksFormatted } from "./recognise/layout.js";
import { asMeant } from "./recognise/meant.js";
import { pictureIn } from "./recognise/picture.js";
import { facts } from "./records.js";
import { isHolder, weighed } from "./shape.js";
import { toneOf } from "./state.js";
import { was } from "./table/rows.js";
import { renderValue } from "./value.js";
/** @import { Child } from "../el.js" */
/** @import { Plain } from "../plain.js" */
/** @import { Show } from "./show.js" */

const MAX_LINES = 60;
const MAX_SECTIONS = 40;
const FEW = 4;
/** So many values stand in a band, and so many if all of them are amounts or moments. */
const [MOST_MIXED, MOST_STATS] = [5, 8];
const BRIEF = 22;
const MAX_DEPTH = 3;
const ERRORS = /^(error|err|error_?(message|msg|text))$/i;
/** So much of a long message stands above all else. */
const MOST_SAID = 240;
/** Members that say whether something is as it should be. */
const VERDICT = /^(is_?)?(valid|passed|approved|healthy)$/i;
/** Members that the others lead to. */
const LEADS = /^(total|overall|score|balance|answer|result|value|output)|(total|status|score)$/i;
/** Figures that say when or how long, not what. */
const PASSING = /(uptime|elapsed|duration|took|timestamp)$/i;
/** Members that a verdict was found on. */
const FINDINGS = /^(errors|issues|problems|violations|warnings)$/i;
/** So many letters of a text may say again what stands above it, which has more than the last. */
const [START, SAYS] = [600, 11];
/** Longer values take both columns. */
const LONG = 28;
/** With so many lines before it a section begins closed. */
const ROOM = 100;

/**
 * The members of an object: short ones as names and values, big ones as sections that fold.
 * @param {Plain} value
 * @param {Show} show
 * @param {number} depth sections inside sections, 0 at the top
 * @returns {HTMLElement | undefined} undefined when there are too many
 */
export function members(value, show, depth) {
  const seen = new Set();
  const isNew = (/** @type {any} */ one) => {
    const { data } = (isString(one) && pictureIn(one)) || {};
    return !data || (!seen.has(data) && seen.add(data));
  };
  const { main, lesser, empty, isDone } = weighed(
    entriesOf(value).filter(([, one]) => isNew(one)),
    show,
    depth,
  );
  const said = main.filter((entry) => !depth && (isMessage(entry) || wordsIn(entry[1])));
  const pictures = main.filter(([, one]) => isString(one) && pictureIn(one));
  const sections = main.filter(
    (entry) =>
      depth < MAX_DEPTH &&
      !said.includes(entry) &&
      !pictures.includes(entry) &&
      isBig(entry[1]) &&
      soleKey(entry[1]) === undefined,
  );
  const about = depth
    ? undefined
    : main.find((entry) => isAbout(entry) && !said.includes(entry) && main.length > 1);
  const verdict = depth
    ? undefined
    : main.find(([name, one]) => VERDICT.test(name) && isBoolean(one) && main.length > 1);
  const state = verdict ? show.label(verdict[0]).replace(/^is (.)/i, (_, first) => first.toUpperCase()) : "";
  const refusal = verdict && !verdict[1] ? `Not ${state.toLowerCase()}` : "";
  const isBlamed = said.some(([name]) => ERRORS.test(name));
  const [[key, held] = ["", undefined], ...others] = sections;
  const isDocument = looksFormatted(string(held));
  const beginning = isDocument ? lettersOf(held.slice(0, START)) : "";
  const isRepeated = (/** @type {any} */ one) => {
    const words = lettersOf(string(isArray(one) && one.length < 2 ? one[0] : one));
    return (
      !!words &&
      [beginning, ...said.map(([, all]) => lettersOf(string(all)))].some(
        (all) => all === words || (words.length > SAYS && all.includes(words)),
      )
    );
  };
  const lines = main.filter(
    (entry) =>
      ![...sections, ...said, ...pictures].includes(entry) &&
      entry !== about &&
      entry !== verdict &&
      !isRepeated(entry[1]),
  );
  if (lines.length > MAX_LINES || sections.length > MAX_SECTIONS) return undefined;
  const none = !sections.length && empty.find(([, one]) => isArray(one));
  if (!main.length && !none) return keyValue(empty, show);
  const isHeld =
    sections.length > 0 &&
    !others.length &&
    (isHolder(key) || isDocument || (!depth && isArray(held))) &&
    lines.length <= FEW &&
    lines.every(isBrief);
  const heads =
    depth || isHeld || said.length || verdict || lines.length < 2 || main.length < 3 ? [] : headOf(lines);
  const known = lines.filter((entry) => !heads.includes(entry));
  let room = ROOM;
  const findings =
    verdict && !isHeld ? sections.filter(([name, one]) => FINDINGS.test(name) && isArray(one)) : [];
  const later = sections.filter((entry) => !findings.includes(entry));
  const notices = said
    .map(([name, one]) => {
      const words = wordsIn(one) || one;
      const brief = isBig(words) ? shorten(words.trim().split("\n", 1)[0], MOST_SAID) : words;
      const isBad = ERRORS.test(name);
      return [
        notice(
          [isBad && refusal ? `${refusal}: ` : "", ...withLinks(brief, show)],
          isBad || isDenied(value) ? "bad" : isDone || saysDone(brief) ? "ok" : "",
        ),
        brief !== words && keptFold(show.at(name), "More", () => [renderValue(words, show.at(name))]),
      ];
    })
    .flat();
  // What speaks of things above comes behind them.
  const isLast = / above/.test(string(said[0]?.[1]));
  return el(
    "div.stack",
    !isLast && notices,
    refusal
      ? !isBlamed && notice(refusal, "bad")
      : verdict && approved(state, list(own(value, "warnings")).length),
    heads[0] &&
      el(
        "div.hero.named",
        heads.map(([name, one], i) => (i ? cell(one, show.at(name)) : heading(0, one))),
      ),
    about && !isRepeated(about[1]) && el("p.about", about[1]),
    pictures.map(([name, one]) => renderValue(one, show.at(name))),
    findings.map(([name, one]) => section(name, one, show, depth, true)),
    known.length > 0 &&
      (isHeld
        ? keyValue(known, show, "facts")
        : top(
            known,
            show,
            depth,
            known.length === main.length,
            keysOf(show.args).some((key) => hasOwn(value, key)),
          )),
    isHeld
      ? renderValue(held, show.at(key), show.label(key), depth)
      : isArray(asMeant(fromEntries(later)))
        ? renderValue(fromEntries(later), show, "", depth)
        : later.map(([name, one]) => {
            const open = room > 0;
            room -= linesOf(one);
            return section(name, one, show, depth, open);
          }),
    isLast && notices,
    none && note(`No ${show.label(none[0]).toLowerCase()}`),
    folded(lesser, none ? empty.filter((entry) => entry !== none) : empty, show),
  );
}

/** What is about the call, in a line if it is little, and which members are empty. @param {[string, any][]} lesser @param {[string, any][]} empty @param {Show} show @returns {(HTMLElement | false)[]} */
export function folded(lesser, empty, show) {
  const [[name, one] = ["", undefined], ...others] = lesser;
  if (name && !others.length && !isArray(one) && isBrief([name, one]))
    return [facts([name], fromEntries(lesser), show), ...folded([], empty, show)];
  const labels = (/** @type {[string, any][]} */ all) => all.map(([key]) => show.label(key)).join(", ");
  if (!lesser.length) return [empty.length > 0 && el("p.hint", "Empty: ", labels(empty))];
  const all = [...lesser, ...empty];
  return [keptFold(show.at(" more"), ["More ", el("span.hint", labels(all))], () => [keyValue(all, show)])];
}

/**
 * Short values: the answer large, a few figures in a band, else names and values.
 * @param {[string, any][]} lines @param {Show} show @param {number} depth
 * @param {boolean} isAll whether there is nothing else @param {boolean} isAsked whether the arguments said some of it
 * @returns {HTMLElement}
 */
function top(lines, show, depth, isAll, isAsked) {
  const figures = lines.filter(isFigure);
  const [name, one] = figures[0] ?? lines[0];
  const others = fromEntries(lines.filter(([key]) => key !== name));
  const rest = keysOf(others);
  if (!depth && isAll && !rest.length && isArray(one))
    return stack(
      !isHolder(name) && el("p.caption", show.label(name)),
      renderValue(one, show.at(name), show.label(name)),
    );
  if (!depth && isAsked && !rest.length && isNumber(one) && /(count|length)$/i.test(name))
    return facts([name], fromEntries(lines), show);
  if (
    !depth &&
    isAll &&
    !isBranch(one) &&
    (!rest.length ||
      (isAsked &&
        figures.length === 1 &&
        !/(count|length)$/i.test(name) &&
        rest.length <= FEW / 2 &&
        lines.every(isBrief)))
  ) {
    if (isString(one) && !isTerse(one))
      return stack(!isHolder(name) && el("p.hint", show.label(name)), renderValue(one, show.at(name)));
    return stack(
      hero(one, { label: asked(show) || show.label(name), unit: unitAsked(show) }, show.at(name)),
      rest.length > 0 && facts(rest, others, show),
    );
  }
  if (
    !depth &&
    !rest.length &&
    (isTerse(one) ? leads(lines[0]) || isName(name) : !PASSING.test(name) && (figures.length || soleKey(one)))
  )
    return hero(one, { label: show.label(name) }, show.at(name));
  const isBand =
    depth < 2 &&
    lines.length > 1 &&
    figures.length > 0 &&
    lines.every((entry) => isBrief(entry) && (!isNumber(entry[1]) || isFigure(entry))) &&
    lines.length <= (figures.length === lines.length ? MOST_STATS : MOST_MIXED);
  if (isBand)
    return keyValue(
      lines.toSorted((a, b) => leads(b) - leads(a)),
      show,
      "stats",
    );
  const amounts =
    depth < 2 ? figures.filter((entry) => isBrief(entry) && !instantOf(entry[1], entry[0])) : [];
  return amounts.length > 1 && amounts.length <= MOST_STATS
    ? stack(
        keyValue(amounts, show, "stats"),
        keyValue(
          lines.filter((entry) => !amounts.includes(entry)),
          show,
        ),
      )
    : keyValue(lines, show);
}

/** The name of a thing and its state, if it has any: the head of all that is known of it. @param {[string, any][]} lines */
function headOf(lines) {
  const name = lines.find(([key, one]) => isName(key) && isString(one) && isShort(one));
  const state = lines.find(
    ([key, one]) => /^(status|state)$/i.test(key) && isString(one) && toneOf(one, key),
  );
  return name ? [name, state].filter((entry) => entry !== undefined) : [];
}

/** Whether something was found not to be as it should, in the value or one level in it. @param {Plain} value @returns {boolean} */
function isDenied(value) {
  const isNo = (/** @type {[string, any]} */ [name, one]) =>
    one === false ? VERDICT.test(name) : /status$/i.test(name) && toneOf(one, name) === "bad";
  return entriesOf(value).some((entry) => isNo(entry) || entriesOf(plain(entry[1])).some(isNo));
}

/** That a thing is as it should be, and whether that came with warnings. @param {string} words @param {number} warnings */
function approved(words, warnings) {
  return warnings
    ? notice(`${words}, with ${plural(warnings, "warning")}`, "warn", icon(OUTLINES.alert))
    : notice(words, "ok");
}

/** Whether a short value is what the others led to: 1 or 0. @param {[string, any]} entry */
function leads([name, one]) {
  return Number(LEADS.test(name) && !isArray(one));
}

/** Whether a value is an amount or a moment. @param {[string, any]} entry */
function isFigure([name, one]) {
  return isNumber(one) ? !namesThings(name) : !!instantOf(one, name);
}

/** @param {[string, any]} entry */
function isMessage([name, one]) {
  return isString(one) && (/^(message|msg)$/i.test(name) || ERRORS.test(name));
}

/** The words of a text item, as the messages of a chat hold it. @param {any} value */
function wordsIn(value) {
  return plain(value).type === "text" ? string(value.text) : "";
}

/** Whether a text says what the whole is, in a sentence. @param {[string, any]} entry */
function isAbout([name, one]) {
  return (
    /^(description|summary|overview|abstract|about)$/i.test(name) &&
    isString(one) &&
    /\S \S+ \S/.test(one) &&
    !/\n/.test(one)
  );
}

/** Whether a value fits in a cell of a band. @param {[string, any]} entry */
function isBrief([name, one]) {
  return (
    !/\n/.test(string(one)) &&
    (asText(one).length <= BRIEF || !!(isString(one) && instantOf(one, name))) &&
    !(isString(one) && tellsApart(name))
  );
}

/** What was to be converted, as the arguments say: "10 km =". @param {Show} show */
function asked({ args }) {
  const [, from = ""] =
    entriesOf(args).find(([name, one]) => /^(from|source)/i.test(name) && isString(one)) ?? [];
  const amount = valuesOf(args).find(isNumber);
  return from && amount !== undefined ? `${amount} ${from} =` : "";
}

/** The unit that the arguments ask for. @param {Show} show */
function unitAsked({ args }) {
  return entriesOf(args).find(
    ([name, one]) => /^(to|target|unit)(_|[A-Z]|$)/.test(name) && string(one) && one.length < 8,
  )?.[1];
}

/** About how many lines a value takes. @param {any} value @returns {number} */
function linesOf(value) {
  if (isString(value)) return value.length / 80;
  if (isArray(value)) return min(value.length, 50);
  return isBranch(value) ? keysOf(value).reduce((sum, key) => sum + linesOf(value[key]), 1) : 1;
}

/**
 * A heading that is a button, and what it opens, made when it is first open.
 * @param {string} name @param {any} value @param {Show} show @param {number} depth
 * @param {boolean} open while no one has touched it
 */
function section(name, value, show, depth, open) {
  let inner = show.at(name);
  const kept = inner.remember("section", { open: /** @type {boolean | undefined} */ (undefined) });
  let words = show.label(name);
  const [only, ...others] = keysOf(plain(value));
  if (!others.length && isArray(value[only])) {
    if (!isHolder(only)) words += ` ${inner.label(only).toLowerCase()}`;
    inner = inner.at(only);
    value = value[only];
  }
  const body = el("div");
  const set = (/** @type {boolean} */ on) => {
    if (on && !body.hasChildNodes()) body.append(renderValue(value, inner, words, depth + 1));
    body.hidden = !on;
    toggle.ariaExpanded = `${on}`;
  };
  const toggle = button(words, () => set((kept.open = body.hidden === true)), {
    class: "opener",
    title: show.describe(name) || name,
  });
  set(kept.open ?? open);
  return el(
    "section",
    el("div.inline", heading(depth, toggle), isArray(value) && el("span.badge", `${value.length}`)),
    body,
  );
}

/** A text without its marks and the sign of a cut. @param {string} text */
function lettersOf(text) {
  return text.replace(/[#*_`>\s]+|(\u2026|\.{3})$/g, " ").trim();
}

/** @param {number} depth @param {Child | Child[]} words */
export function heading(depth, words) {
  return el(`h${min(6, 3 + depth)}`, words);
}

/**
 * Names and values beneath each other; a value that was another one in the run before says so.
 * @param {[string, any][]} entries
 * @param {Show} show
 * @param {"pairs" | "stats" | "facts"} [look]
 * @returns {HTMLElement}
 */
export function keyValue(entries, show, look = "pairs") {
  const now = fromEntries(entries);
  const kept = show.remember(`lines ${keysOf(now)[0]}`, { before: now });
  const before = changedCalmly(kept.before, now);
  kept.before = now;
  const sorted = look === "pairs" ? entries.toSorted(lastly(isFar)) : entries;
  return el(
    `dl.${look}`,
    sorted.map(([name, value], i) => {
      const node = look === "stats" ? figure(value, show.at(name)) : cell(value, show.at(name), true);
      return el(
        "div",
        {
          class:
            `${node.textContent}`.length > LONG ||
            (HAS_WRITTEN_VIEW && value instanceof Element && value.querySelector(":nth-child(2)"))
              ? "wide"
              : /\S{16}/.test(`${name} ${node.textContent}`)
                ? "long"
                : !i && isNumber(value) && value && leads([name, value]) && "first",
        },
        el("dt", { title: show.describe(name) || name }, show.label(name)),
        el(
          "dd",
          { class: isNumber(value) && value > 0 && toneOf(true, name.replace(/count$/i, "")) },
          node,
          before &&
            !same(own(before, name), value) && [" ", el("span.was", was(own(before, name), show.at(name)))],
        ),
      );
    }),
  );
}

/** Whether a value is for programs: an id or an address. @param {[string, any]} entry */
function isFar([name, value]) {
  return isString(value) && (tellsApart(name) || isToken(value) || /^https?:/.test(value));
}

/** What was before, unless it was another thing or most of it is different. @param {Plain} before @param {Plain} now */
function changedCalmly(before, now) {
  const keys = keysOf(now);
  const changed = keys.filter((key) => !same(own(before, key), now[key]));
  return changed.length <= ceil(keys.length / 2) && !areOthers(before, now) ? before : undefined;
}
