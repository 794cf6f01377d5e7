import { el, note } from "../el.js";
import { isString, plain, string } from "../plain.js";
import { linkButton } from "./cell.js";
import { isWrapped, jsonIn, partsOf, soundsFailed } from "./data.js";
import { audio, base64Size, image } from "./media.js";
import { textBlock } from "./text.js";
import { jsonTree } from "./tree.js";
import { renderValue } from "./value.js";
/** @import { Part } from "./data.js" */
/** @import { Show } from "./show.js" */

/**
 * Everything that a tool result has to show, in order.
 * @param {any} result
 * @param {Show} show
 * @returns {HTMLElement[]}
 */
export function renderResult(result, show) {
  const { schema } = isWrapped(plain(result).structuredContent) ? show.at("result") : show;
  return partsOf(result).map((part, i) => {
    try {
      return renderPart(part, show.at(i, schema));
    } catch {
      return jsonTree(part.value ?? part.text, show.at(i));
    }
  });
}

/** @param {Part} part @param {Show} show @returns {HTMLElement} */
function renderPart({ kind, value, text = "" }, show) {
  switch (kind) {
    case "data": return renderValue(value, show);
    case "text": return text.trim() ? textBlock(text, show.limit, soundsFailed(text) ? "text doubtful" : "text") : note("Empty text");
    case "image": return image(value, show);
    case "audio": return audio(value);
    case "link": return resourceLink(value, show);
    case "resource": return el("div.resource", hint(value.uri, value.mimeType), resourceBody(value, show));
    default: return jsonTree(value, show);
  }
}

/** A line of what is known. @param {...unknown} facts */
function hint(...facts) {
  return el("p.hint", facts.map(string).filter(Boolean).join(" \u00b7 "));
}

/** @param {any} item @param {Show} show */
function resourceLink(item, show) {
  const uri = string(item.uri);
  const name = string(item.title) || string(item.name) || uri;
  const open = /^https?:/i.test(uri) ? linkButton(uri, name, show) : el("span", name);
  return el("div.resource", open, hint(name !== uri && uri, item.mimeType), hint(item.description));
}

/** @param {any} item @param {Show} show */
function resourceBody({ mimeType, text, blob }, show) {
  const type = string(mimeType);
  if (isString(text)) return renderValue(jsonIn(text) ?? text, show);
  if (type.startsWith("image/")) return image({ data: blob, mimeType }, show);
  if (type.startsWith("audio/")) return audio({ data: blob, mimeType });
  return note(`Binary data, ${base64Size(blob)}`);
}
