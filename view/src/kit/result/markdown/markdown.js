import { el, quietButton } from "../../el.js";
import { plural } from "../../format.js";
import { min } from "../../plain.js";
/** @import { Show } from "../show.js" */
import { moreWords } from "../text.js";
import { untagged } from "../recognise/layout.js";
import { blocks } from "./blocks.js";

/** A longer text with so many headings of a level is read by chapters. */
const [LONG, MANY] = [2500, 4];
/** So many blocks have no chapters that a person wrote. */
const TOO_MANY = 5000;
/** Chapters begin open until so many letters of them are in sight; inside of a chapter the first and short ones do. */
const ROOM = 400;
/** A chapter that tells the others in short. */
const SUMS_UP = /takeaway|summary/i;

/**
 * Formatted text. Nothing in it becomes markup, nothing is loaded, and links go through the host.
 * A text above the page's limit is cut behind a line, with a way to see the rest.
 * @param {string} text
 * @param {{ show: Show, level?: number }} options `level`: of the highest heading, 3 if left out
 * @returns {HTMLElement}
 */
export function markdown(text, { show, level = 3 }) {
  // What is said of a document stands behind it.
  const source = untagged(text)
    .replaceAll("\r", "")
    .replace(/^---\n((?:#.*\n)?[\w-]+:.*\n(?:(?!---).+\n)*)---\n([^]*)/, "$2\n## Metadata\n```\n$1```");
  const top = min(
    ...(source.replace(/^ *(```|~~~)[^]*?^ *\1/gm, "").match(/^#{1,6}(?= )/gm) ?? ["#"]).map(
      (marks) => marks.length,
    ),
  );
  const seen = show.remember("markdown", { length: show.limit });
  const holder = el("div.markdown");
  const draw = () => {
    const end = seen.length < source.length ? source.indexOf("\n", seen.length) : -1;
    const nodes = blocks((end < 0 ? source : source.slice(0, end)).split("\n"), {
      show,
      level,
      top,
      depth: 0,
    });
    const more = quietButton(moreWords(source.length - end), () => {
      seen.length *= 4;
      draw();
    });
    holder.replaceChildren(
      ...(source.length > LONG ? byChapters(nodes, show) : nodes),
      ...(end < 0 ? [] : [more]),
    );
  };
  draw();
  return holder;
}

/**
 * The chapters of a long text, each folded under its heading: those of the highest level that comes often. A long chapter has its own.
 * @param {HTMLElement[]} nodes of the text @param {Show} show @param {boolean} [isInside] a chapter
 * @returns {HTMLElement[]} the same nodes where no level does
 */
function byChapters(nodes, show, isInside = false) {
  const levels = nodes.map(({ className }) => (/^h\d$/.test(className) ? className : ""));
  const count = (/** @type {string} */ name) =>
    levels.filter((one) => one === name).length +
    Number(!isInside && lettersOf(nodes.slice(0, levels.indexOf(name))) > LONG / 2);
  const level =
    ["h1", "h2", "h3"].find((name) => levels.includes(name) && count(name) >= (isInside ? 2 : MANY)) ?? "";
  if (!level || levels.length > TOO_MANY || lettersOf(nodes) < (isInside ? LONG / 2 : 0)) return nodes;
  const start = levels.indexOf(level);
  if (count(level) > levels.filter((one) => one === level).length) {
    const at = Number(!!levels[0]);
    return byChapters(
      [...nodes.slice(0, at), el("h3", { class: level }, "Introduction"), ...nodes.slice(at)],
      show,
    );
  }
  const kept = show.remember("chapters", /** @type {Record<string, boolean>} */ ({}));
  /** @type {HTMLDetailsElement[]} */
  const chapters = [];
  const whole = nodes.slice(0, start);
  let room = ROOM;
  for (let at = whole.length; at < nodes.length;) {
    const head = nodes[at];
    const from = ++at;
    while (at < nodes.length && !(levels[at] && levels[at] <= level)) at++;
    const inner = nodes.slice(from, at);
    if (head.className !== level) whole.push(head, ...inner);
    else {
      const name = `${head.textContent}`;
      const body = el("div.markdown", byChapters(inner, show, true));
      const letters = lettersOf([body]);
      const chapter = el(
        "details.chapter",
        {
          open:
            kept[name] ??
            (SUMS_UP.test(name) || (room > 0 && !(isInside && letters > (chapters[0] ? 2 * ROOM : LONG)))),
          ontoggle: () => {
            kept[name] = chapter.open;
            say();
          },
        },
        el(
          "summary",
          head,
          el(
            "span.hint",
            inner
              .filter(({ className }) => /^h\d$/.test(className))
              .map(({ textContent }) => textContent)
              .join(" \u00b7 "),
          ),
        ),
        body,
      );
      room -= letters;
      chapters.push(chapter);
      whole.push(chapter);
    }
  }
  const all = quietButton("", () => {
    const open = !isOpen();
    for (const one of chapters)
      for (const each of [one, ...one.querySelectorAll("details")]) each.open = open;
  });
  const isOpen = () => chapters.every(({ open }) => open);
  const say = () => {
    all.textContent = isOpen() ? "Close all" : "Open all";
  };
  say();
  if (!isInside)
    whole.splice(start, 0, el("div.bar.filter", el("span.count", plural(chapters.length, "chapter")), all));
  return whole;
}

/** @param {HTMLElement[]} nodes */
function lettersOf(nodes) {
  return nodes.reduce((sum, { textContent }) => sum + `${textContent}`.length, 0);
}
