import { el } from "../../el.js";
import { blocks } from "./blocks.js";
/** @import { Block, Context } from "./blocks.js" */

/** Indent, mark, and the task's box of a list's item. */
const ITEM = /^(\s*)([-*+\u2022]|\d{1,9}[.)]) +(?:\[([ x])\] )?(?=\S)/i;

/** Pairs of a name and a longer value take both columns; still longer ones are prose. */
const [LONG, MOST] = [50, 200];

/** @param {string} line */
export function isItem(line) {
  return ITEM.test(line);
}

/**
 * A list with its items' own blocks, also lists; `[ ]` and `[x]` in front are tasks.
 * @param {string[]} lines @param {number} at @param {Context} context
 * @returns {Block | undefined}
 */
export function listAt(lines, at, context) {
  const [, indent, mark] = ITEM.exec(lines[at]) ?? [];
  if (!mark) return undefined;
  const margin = RegExp(`^\\s{0,${indent.length + mark.length + 1}}`);
  const isInside = (/** @type {string} */ line = "") => line.search(/\S/) > indent.length;
  const isNext = (/** @type {RegExpExecArray | null} */ found) =>
    found?.[1] === indent && found[2].length > 1 === mark.length > 1;
  const items = [];
  for (let found = ITEM.exec(lines[at]); found && isNext(found); found = ITEM.exec(lines[at] ?? "")) {
    const inner = [lines[at].slice(found[0].length)];
    while (
      ++at < lines.length &&
      (isInside(lines[at]) ||
        (!lines[at].trim() && (isInside(lines[at + 1]) || isNext(ITEM.exec(lines[at + 1] ?? "")))))
    )
      inner.push(lines[at].replace(margin, ""));
    items.push(item(blocks(inner, { ...context, depth: context.depth + 1 }), found[3]));
  }
  const pairs = items.map(named).filter((one) => one !== undefined);
  if (mark.length < 2 && items.length > 1 && pairs.length === items.length)
    return [
      el(
        "dl.pairs",
        pairs.map(([name, rest, length]) =>
          el("div", { class: length > LONG && "wide" }, el("dt", name), el("dd", rest)),
        ),
      ),
      at,
    ];
  return [mark.length > 1 ? el("ol", { start: parseInt(mark) }, items) : el("ul", items), at];
}

/**
 * The name, and what stands behind it, of an item such as "Page title: Garden".
 * @param {HTMLElement} item
 * @returns {[name: string, rest: (Node | string)[], length: number] | undefined} undefined for other items
 */
function named(item) {
  item.normalize();
  const [first, second, ...rest] = item.childNodes;
  const isBold = first?.nodeName === "STRONG";
  const words =
    isBold && second?.nodeType === 3 ? `${first.textContent}${second.nodeValue}` : `${first?.textContent}`;
  const [, name, value = ""] =
    ((isBold || first?.nodeType === 3) &&
      /^(\p{L}[^:\n"'`<>{}[\]()=]{0,29}):(?=\s|$)\s*([^]*)/u.exec(words)) ||
    [];
  const { length } = `${item.textContent}`;
  const others = isBold && second?.nodeType === 3 ? rest : [...item.childNodes].slice(1);
  return name &&
    (value || others.length) &&
    length < MOST &&
    !item.className &&
    !item.querySelector("ul, ol, p, pre")
    ? [name, [value, ...others], length]
    : undefined;
}

/** @param {HTMLElement[]} inner @param {string | undefined} box */
function item([first, ...others], box) {
  const task =
    box &&
    el(
      "span",
      { role: "img", "aria-label": box === " " ? "to do" : "done" },
      box === " " ? "\u2610 " : "\u2611 ",
    );
  return el(
    "li",
    { class: box ? "task" : null },
    task,
    first?.matches("p") ? [...first.childNodes] : first,
    others,
  );
}
