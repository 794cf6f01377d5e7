import { parseMarkup } from "../runtime/parse-markup.js";
import { parseJson, string } from "../kit/plain.js";

/** The element that holds the fragment's template, as JSON text. */
export const TEMPLATE_ID = "mcp-gen-ui-template";

/**
 * A fresh copy of the fragment's template. The markup comes as a text in a data block, in which
 * nothing can end what it stands in, and is read in a document that runs nothing. Such a document
 * reads `noscript` as markup, which a page with scripts does not: it goes, as scripts do, and so do
 * elements that hold other pages.
 * @returns {DocumentFragment}
 */
export function template() {
  const markup = string(parseJson(document.getElementById(TEMPLATE_ID)?.textContent ?? ""));
  const read = parseMarkup(`<!DOCTYPE html><body><template>${markup}</template>`, "text/html");
  const { content } = /** @type {HTMLTemplateElement} */ (read.querySelector("template"));
  for (const each of content.querySelectorAll(
    "script, noscript, iframe, frame, frameset, object, embed, link, meta, base",
  ))
    each.remove();
  return document.importNode(content, true);
}
