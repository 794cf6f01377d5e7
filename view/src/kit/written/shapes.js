import { el, inLine, note, stack } from "../el.js";
import { nameWords, number } from "../format.js";
import { icon, OUTLINES, tile } from "../icon.js";
import { numberFormat } from "../locale.js";
import { unitOf } from "../meaning.js";
import {
  entriesOf,
  fromEntries,
  isArray,
  isBranch,
  isNothing,
  isNumber,
  isPlain,
  isString,
  max,
  min,
  own,
  plain,
  round,
  string,
} from "../plain.js";
import { folded, heading, members } from "../result/card.js";
import { linkButton } from "../result/cell.js";
import { partsOf } from "../result/data.js";
import { figure, notice } from "../result/figures.js";
import { saysDone } from "../result/lead.js";
import { image } from "../result/media.js";
import { isBig } from "../result/nested.js";
import { asMeant } from "../result/recognise/meant.js";
import { pictureIn } from "../result/recognise/picture.js";
import { titled } from "../result/parts.js";
import { rowsOf } from "../result/recognise/rows.js";
import { recordList } from "../result/records.js";
import { renderPart, renderParts } from "../result/render.js";
import { textBlock } from "../result/text.js";
import { jsonTree } from "../result/tree.js";
/** @import { Child } from "../el.js" */
/** @import { Show } from "../result/show.js" */

/** How a view's words for a tone are written in the page. @type {Record<string, string>} */
const TONES = {
  good: "ok",
  ok: "ok",
  success: "ok",
  warning: "warn",
  warn: "warn",
  bad: "bad",
  error: "bad",
};

/** Five words or more. */
const SENTENCE = /^(?=.{40})(\S+\s+){4,}\S+/;

/** @param {unknown} tone @returns {string | undefined} */
export function toneName(tone) {
  return own(TONES, string(tone));
}

/**
 * Any value as its shape asks; an element stays as it is. Never throws.
 * @param {any} value data, a text, or an item of a result's content, or several
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function anything(value, show) {
  if (value instanceof Node) return /** @type {HTMLElement} */ (value);
  const items = isString(value) ? [{ type: "text", text: value }] : [value].flat();
  try {
    const areItems =
      isString(value) ||
      items.every(
        (one) =>
          /^(image|audio|resource(_link)?)$/.test(plain(one).type) && (one.data || one.resource || one.uri),
      );
    const parts = areItems ? partsOf({ content: items }) : [];
    return parts[1] ? stack(renderParts(parts, show)) : renderPart(parts[0] ?? { kind: "data", value }, show);
  } catch {
    return jsonTree(value, show);
  }
}

/** A part without a box, under a title. @param {Child} title @param {(Child | Child[])[]} children */
export function section(title, ...children) {
  return titled("section.stack.part", title, children);
}

/**
 * The members of an object that a view did not draw: long ones as sections, short ones folded in one line.
 * @param {any} data @param {any} known names that are drawn @param {Show} show
 */
export function rest(data, known, show) {
  const drawn = [known].flat();
  const left = entriesOf(plain(data)).filter(([key]) => !drawn.includes(key));
  const empty = left.filter(([, one]) => isNothing(one));
  const [big, small] = [true, false].map((size) =>
    left.filter((entry) => !empty.includes(entry) && isBig(entry[1]) === size),
  );
  return stack(
    { hidden: big.length + small.length === 0 },
    big.length > 0 && (members(fromEntries(big), show, 1) ?? anything(fromEntries(big), show)),
    small.length > 0 && folded(small, empty, show),
  );
}

/**
 * The one answer, set large on a tint. A sentence is no such answer: it is a notice.
 * @param {any} value a value, or text that is formatted already
 * @param {any} options
 * @param {Show} show
 */
export function heroOf(value, { label, unit, tone, hint, icon: sign, aside }, show) {
  const isDone = isString(value) && /\s/.test(value) && saysDone(value);
  if (!aside && (isDone || (isString(value) && SENTENCE.test(value))))
    return noticeOf(value, tone ?? (isDone ? "good" : undefined));
  return el(
    "div.hero",
    { "data-tone": toneName(tone) },
    sign && tile(sign),
    el(
      "div",
      label && el("p.hint", label),
      el("p", amount(value, { label, unit }, show)),
      hint && el("p.hint", hint),
    ),
    aside && el("div.aside", aside),
  );
}

/** A value in a large font, read by its label unless that or the options say its unit. @param {any} value @param {any} words @param {Show} show @returns {Node} */
function amount(value, { label, unit }, show) {
  return value instanceof Node
    ? value
    : figure(value, show.at(unit || unitOf(`${label}`) ? "" : `${label ?? ""}`, {}), string(unit));
}

/**
 * A few figures in a row.
 * @param {any} given a list of figures, or an object of labels and values
 * @param {any} _ no options
 * @param {Show} show
 */
export function stats(given, _, show) {
  const all = isArray(given)
    ? given.filter(isPlain)
    : entriesOf(plain(given)).map(([name, value]) => ({ label: nameWords(name), value }));
  if (!all.length) return undefined;
  return el(
    "dl.stats.even",
    all.map((/** @type {any} */ { label, value, unit, tone, delta, hint }) =>
      el(
        "div",
        { "data-tone": toneName(tone) },
        el("dt", `${label ?? ""}`),
        el(
          "dd",
          amount(value, { label, unit }, show),
          delta !== undefined &&
            delta !== null &&
            el(
              "span.delta",
              isNumber(delta)
                ? numberFormat({ signDisplay: "exceptZero", maximumFractionDigits: 2 }).format(delta)
                : delta,
            ),
          hint && el("span.hint", hint),
        ),
      ),
    ),
  );
}

/**
 * Records, events or states. What the options leave out is read from the data.
 * @param {any} given a list of objects, or objects or states by name
 * @param {any} options
 * @param {Show} show
 * @param {"records" | "timeline" | "board"} look
 */
export function recordsOf(given, { subtitle, ...options }, show, look) {
  const data =
    rowsOf(asMeant(given)) ??
    (!isArray(given) && rowsOf(entriesOf(plain(given)).map(([name, status]) => ({ name, status }))));
  if (!data) return isArray(given) && !given.length ? note("No entries") : undefined;
  const chosen = entriesOf({ snippet: subtitle, ...options, look }).filter(([, one]) => one !== undefined);
  return recordList(data, show, fromEntries(chosen));
}

/** @param {any} text @param {unknown} tone */
export function noticeOf(text, tone) {
  const name = toneName(tone);
  return notice(el("span", text), name, name === "ok" ? undefined : icon(OUTLINES[name ? "alert" : "about"]));
}

/**
 * How much of something is done or used.
 * @param {any} value @param {any} options `max` is 100 unless given
 */
export function progress(value, { max: most = 100, label = "", tone }) {
  if (!isNumber(value) || !(most > 0)) return undefined;
  const share = 100 * min(max(value / most, 0), 1);
  const words = most === 100 ? number(value, { unit: "%" }) : `${number(value)} of ${number(most)}`;
  const filled = el("i");
  filled.style.width = `${share}%`;
  return el(
    "div.share",
    { "data-tone": toneName(tone) },
    inLine(el("span", label), el("b.side", words)),
    el(
      "div.track",
      {
        role: "progressbar",
        "aria-label": label || "Share",
        "aria-valuenow": round(share),
        "aria-valuetext": words,
      },
      filled,
    ),
  );
}

/** How a line of a log begins to matter. */
const LEVELS = { bad: /\b(error|err|fatal|critical|panic|exception|failed)\b/i, warn: /\bwarn(ing)?\b/i };

/** Lines of a program, with errors and warnings in their colours. @param {any} given a text, or its lines @param {any} _ no options @param {Show} show */
export function log(given, _, show) {
  const text = isArray(given) && !given.some(isBranch) ? given.join("\n") : given;
  if (!isString(text)) return undefined;
  return textBlock(text, show.limit, "text code columns log", (piece) =>
    (piece.match(/.*\n|.+$/g) ?? []).map((line) =>
      el("span", { "data-tone": entriesOf(LEVELS).find(([, words]) => words.test(line))?.[0] }, line),
    ),
  );
}

/** A picture of a result. @param {any} given a content item, a data address or base64 @param {any} options @param {Show} show */
export function picture(given, { alt }, show) {
  /** @type {any} */
  const item = isString(given) ? pictureIn(given) : isPlain(given) && isString(given.data) && given;
  if (!item) return undefined;
  return el("div.picture", image({ ...item, alt: string(alt) || item.alt }, show));
}

/** A link that the host opens; an address that it would not is text. @param {any} url @param {any} words @param {Show} show */
export function link(url, words, show) {
  return /^(https?|mailto):/i.test(string(url))
    ? linkButton(url, `${words ?? url}`, show)
    : el("span", `${words ?? url ?? "\u2013"}`);
}
