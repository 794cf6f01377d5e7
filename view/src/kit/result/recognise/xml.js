import { parseMarkup } from "../../../runtime/parse-markup.js";
import { fromEntries } from "../../plain.js";
/** @import { Found } from "./read.js" */
/** @import { Plain } from "../../plain.js" */

/** Pages and drawings are no data, and the addresses of namespaces say nothing to people. */
const OTHERS = /^(html|svg|xmlns.*)$/i;

/**
 * The data of a text in XML whose elements have elements or words, but not both. It is read in a
 * document that no one sees and that loads nothing; only text comes out of it.
 * @param {string} text @returns {Found | undefined}
 */
export function xmlIn(text) {
  if (!/^\s*<[?a-z][^]*>\s*$/i.test(text)) return undefined;
  const { documentElement: root } = parseMarkup(text.trim(), "text/xml");
  const isData = root.children.length && !OTHERS.test(root.nodeName) && !root.querySelector("parsererror");
  return isData ? [{ kind: "data", value: membersOf(root) }] : undefined;
}

/** Names with what is in them, a list where a name comes again; throws where words stand among elements. @param {Element} element @returns {Plain} */
function membersOf({ attributes, childNodes, children }) {
  /** @type {Map<string, any[]>} */
  const members = new Map();
  const add = (/** @type {string} */ name, /** @type {any} */ value) =>
    members.get(name)?.push(value) ?? members.set(name, [value]);
  for (const { name, value } of attributes) if (!OTHERS.test(name)) add(name, value);
  for (const node of childNodes) {
    const words = node.textContent?.trim() ?? "";
    if (node instanceof Element)
      add(
        node.nodeName,
        node.children.length || node.attributes.length
          ? membersOf(node)
          : `${Number(words)}` === words
            ? Number(words)
            : words,
      );
    else if (words && node.nodeName !== "#comment") {
      if (children.length) throw Error("words");
      add("text", words);
    }
  }
  return fromEntries([...members].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}
