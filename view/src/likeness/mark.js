/** Words that a person looked for, marked where they are found. */
/** @import { Ui } from "./things.js" */

const MOST = 500;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_-]+/gu;
const OPERATOR = /^(and|or|not|the|of|in)$/i;

/** The marks of each part that is in the page. @type {Map<Node, Range[]>} */
const marked = new Map();

/** @param {Ui} ui @param {any} part an element or data @param {any} words a text that was searched for, or a list of them */
export function mark(ui, part, words) {
  const node = ui.show(part);
  const wanted =
    `${[words].flat().filter(Boolean).join(" ")}`
      .toLowerCase()
      .match(WORD)
      ?.filter((one) => !OPERATOR.test(one)) ?? [];
  const paint = () => {
    marked.set(node, rangesIn(node, wanted));
    for (const one of marked.keys()) if (one !== node && !one.isConnected) marked.delete(one);
    CSS.highlights.set("found", new Highlight(...[...marked.values()].flat()));
  };
  if (wanted.length && globalThis.CSS?.highlights) {
    paint();
    // A filter or a next page draws again.
    new MutationObserver(paint).observe(node, { childList: true, subtree: true, characterData: true });
  }
  return node;
}

/** @param {Node} node @param {string[]} words in lower case */
function rangesIn(node, words) {
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const ranges = [];
  while (texts.nextNode() && ranges.length < MOST) {
    const { currentNode } = texts;
    const text = `${currentNode.textContent}`.toLowerCase();
    for (const word of words)
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(currentNode, Math.min(at, /** @type {Text} */ (currentNode).length));
        // In some languages small letters are more than the large ones.
        range.setEnd(currentNode, Math.min(at + word.length, /** @type {Text} */ (currentNode).length));
        ranges.push(range);
      }
  }
  return ranges;
}
