import { el } from "../el.js";
import { byteSize } from "../format.js";
import { string } from "../plain.js";
import { linkButton } from "./cell.js";
import { jsonIn, partsOf, soundsFailed } from "./data.js";
import { audio, image } from "./media.js";
import { textBlock } from "./text.js";
import { jsonTree } from "./tree.js";
import { renderValue } from "./value.js";
/** @import { Part } from "./data.js" */
/** @import { Show } from "./value.js" */

/**
 * Everything that a tool result has to show, in order.
 * @param {any} result
 * @param {Show} show
 * @returns {HTMLElement[]}
 */
export function renderResult(result, show) {
  return partsOf(result).map((part) => {
    try {
      return renderPart(part, show);
    } catch {
      return jsonTree(part.value ?? part.text);
    }
  });
}

/** @param {Part} part @param {Show} show @returns {HTMLElement} */
function renderPart({ kind, value, text = "" }, show) {
  switch (kind) {
    case "data": return renderValue(value, show);
    case "text": return renderText(text, show);
    case "image": return image(value, show);
    case "audio": return audio(value);
    case "link": return resourceLink(value, show);
    case "resource": return resource(value, show);
    default: return jsonTree(value);
  }
}

/** @param {string} text @param {Show} show */
function renderText(text, show) {
  if (!text.trim()) return el("p", { class: "none" }, "Empty text");
  return textBlock(text, show.limit, soundsFailed(text) ? "text doubtful" : "text");
}

/** @param {any} item @param {Show} show */
function resourceLink(item, show) {
  const uri = string(item.uri);
  const name = string(item.title) || string(item.name) || uri;
  const open = /^https?:/i.test(uri) ? linkButton(uri, name, show) : el("span", { dir: "auto" }, name);
  const notes = [name === uri ? "" : uri, string(item.mimeType)].filter(Boolean).join(" \u00b7 ");
  return el("div", { class: "resource" }, open, el("span", { class: "hint", dir: "auto" }, notes),
    item.description ? el("p", { class: "hint", dir: "auto" }, string(item.description)) : null);
}

/** @param {any} item @param {Show} show */
function resource(item, show) {
  const head = el("p", { class: "hint", dir: "auto" }, [string(item.uri), string(item.mimeType)].filter(Boolean).join(" \u00b7 "));
  return el("div", { class: "resource" }, head, resourceBody(item, show));
}

/** @param {any} item @param {Show} show */
function resourceBody(item, show) {
  const type = string(item.mimeType);
  if (typeof item.text === "string") {
    const value = jsonIn(item.text);
    return value === undefined ? textBlock(item.text, show.limit) : renderValue(value, show);
  }
  if (type.startsWith("image/")) return image({ data: item.blob, mimeType: type }, show);
  if (type.startsWith("audio/")) return audio({ data: item.blob, mimeType: type });
  return el("p", { class: "none" }, `Binary data, ${byteSize(Math.round(string(item.blob).length * 0.75))}`);
}
