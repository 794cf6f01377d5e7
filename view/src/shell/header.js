import { clampedText } from "../kit/clamp.js";
import { el } from "../kit/el.js";
import { nameWords } from "../kit/format.js";
import { plain, string } from "../kit/plain.js";
/** @import { PageData } from "./page-data.js" */

const MAX_DESCRIPTION = 16_000;

/** The words a person knows the tool by. @param {any} tool */
export function toolTitle(tool) {
  return string(tool.title).trim() || string(plain(tool.annotations).title).trim() || nameWords(string(tool.name)) || "Tool";
}

/**
 * Title, description and notice.
 * @param {PageData} page
 * @returns {HTMLElement}
 */
export function header({ tool, notice }) {
  const name = string(tool.name);
  const title = toolTitle(tool);
  const badge = plain(tool.annotations).destructiveHint === true ? el("span", { class: "badge warn" }, "makes changes") : null;
  return el("header", null,
    el("div", { class: "title" }, el("h1", { dir: "auto" }, title.slice(0, 300)), name && name !== title ? el("code", { dir: "auto" }, name.slice(0, 200)) : null, badge),
    description(string(tool.description).trim()),
    notice ? el("p", { class: "notice", "data-notice": notice.kind, role: "note", dir: "auto" }, notice.text) : null);
}

/** @param {string} text @returns {HTMLElement | null} */
function description(text) {
  if (!text) return null;
  const { paragraph, toggle } = clampedText(text.slice(0, MAX_DESCRIPTION), "description");
  return el("div", null, paragraph, toggle);
}
