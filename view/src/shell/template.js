import { parseJson, string } from "../kit/plain.js";

/** The element that holds the fragment's template, as JSON text. */
const TEMPLATE_ID = "mcp-gen-ui-template";

/**
 * A fresh copy of the fragment's template. The markup comes as a text in a data block, in which
 * nothing can end what it stands in, and is read in a document that runs nothing: the scripts of
 * such a document never run anywhere. It reads `noscript` as a page without scripts does, which is
 * not how the markup was judged, so that goes.
 * @returns {DocumentFragment}
 */
export function template() {
  const markup = string(parseJson(document.getElementById(TEMPLATE_ID)?.textContent ?? ""));
  const read = new DOMParser().parseFromString(`<!DOCTYPE html><body><template>${markup}</template>`, "text/html");
  const { content } = /** @type {HTMLTemplateElement} */ (read.querySelector("template"));
  for (const each of content.querySelectorAll("noscript")) each.remove();
  return document.importNode(content, true);
}
