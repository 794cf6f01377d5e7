import { el, inLine, quietButton } from "../el.js";
import { diffBlock, isDiff } from "./diff.js";
import { textBlock } from "./text.js";
/** @import { Show } from "./show.js" */

/**
 * Code as it is written, with the name of its language and a way to copy it.
 * @param {string} code @param {string} language "" when unknown
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function codeBlock(code, language, show) {
  const copy = quietButton("Copy", () => show.copy(code), { "aria-label": `Copy ${language || "the code"}` });
  const body =
    language.startsWith("diff") || isDiff(code)
      ? diffBlock(code, show)
      : textBlock(code, show.limit, "text code");
  return el("div.code-block", inLine(el("span.hint", language), copy), body);
}
