import { clampedText, el } from "../kit/el.js";
import { nameWords } from "../kit/format.js";
import { plain, string } from "../kit/plain.js";
/** @import { PageData } from "./page-data.js" */

/** The words a person knows the tool by. @param {any} tool */
export function toolTitle(tool) {
  const name = string(tool.name);
  const given = [tool.title, plain(tool.annotations).title].map((one) => string(one).trim());
  return given.find((title) => title && title !== name) || nameWords(name) || "Tool";
}

/** Whether a tool can change or delete things. @param {any} tool */
export function isDestructive(tool) {
  return plain(tool.annotations).destructiveHint === true;
}

/**
 * Title, description and notice.
 * @param {PageData} page
 * @returns {HTMLElement}
 */
export function header({ tool, notice }) {
  const name = string(tool.name);
  const title = toolTitle(tool);
  const description = string(tool.description).trim();
  return el("header",
    el("div.title", el("h1", title.slice(0, 300)), name !== title && el("code", name.slice(0, 200)), isDestructive(tool) && el("span.badge.warn", "makes changes")),
    description && el("div.description", clampedText(description)),
    notice && el("p.notice", { "data-notice": notice.kind, role: "note" }, notice.text));
}
