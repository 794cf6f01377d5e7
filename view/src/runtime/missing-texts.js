import { isBranch, list, parseJson, plain, string } from "../kit/plain.js";
import { root } from "./host-style.js";
import { element } from "./native.js";
import { repeatsWords, shownIn } from "./shown-words.js";

/** How long a document may draw before the page looks at it, and between two looks. */
const PAUSE_MS = 250;

/** The texts of the last result that are no data. @type {string[]} */
let texts = [];
/** Its data. */
let data = "";
let timer = 0;
/** @type {HTMLElement | undefined} */
let block;

/**
 * Shows below a document the texts of a result that it leaves out. What it was given as data is not one of them:
 * text with JSON, and the first text of a success without any data. Neither is what only repeats data in words.
 * @param {any} result
 */
export function showMissingTexts(result) {
  const { content, structuredContent, isError } = plain(result);
  const json = [JSON.stringify(structuredContent)];
  texts = list(content)
    .map((item) => string(plain(item).text))
    .filter((text) => !isBranch(parseJson(text)) || !json.push(text));
  data = json.join("\n");
  if (!data[2] && !isError) texts.shift();
  if (!block) {
    block = element(document, "section");
    new MutationObserver(lookSoon).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  }
  lookSoon();
}

function lookSoon() {
  timer ||= setTimeout(look, PAUSE_MS);
}

/** Puts the block below the document, or takes it away. */
function look() {
  timer = 0;
  const holder = /** @type {HTMLElement} */ (block);
  holder.remove();
  if (!texts[0]) return;
  const isShown = repeatsWords(`${shownIn(document.body)} ${data}`);
  holder.textContent = texts.filter((text) => !isShown(text)).join("\n\n");
  // Outside of the body, whose layout may have no place for it.
  const { color, font } = getComputedStyle(document.body);
  holder.style.cssText = `white-space:pre-wrap;overflow-wrap:anywhere;margin:1em;color:${color};font:${font}`;
  if (holder.textContent) root().append(holder);
}
