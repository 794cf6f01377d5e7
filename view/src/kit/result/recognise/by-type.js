import { delimitedIn } from "./delimited.js";
import { dataIn } from "./json.js";
import { readText } from "./read.js";
/** @import { Reading } from "./read.js" */

/** Names that say nothing about what a text is. */
const VAGUE = /^(plain|txt|log|octet-stream|)$/;

/**
 * What a text is that says so itself, by a media type or the end of its name. Markup is shown as it
 * is written.
 * @param {string} text @param {string} type @param {string} uri
 * @returns {Reading[]}
 */
export function readTyped(text, type, uri) {
  const path = uri.replace(/^\w+:\/\/[^/]*|[?#].*/g, "");
  const language = [
    /^(?:text|application)\/(?:x-)?([\w.+-]+)/.exec(type)?.[1],
    /\.(\w{1,8})$/.exec(path)?.[1],
  ]
    .map((one = "") => one.toLowerCase())
    .find((one) => !VAGUE.test(one));
  if (!language || type.startsWith("image/")) return readText(text);
  if (/^(markdown|md)$/.test(language)) return [{ kind: "markdown", text }];
  const rows = /^([ct]sv|tab-separated-values)$/.test(language) && delimitedIn(text, true);
  return /** @type {Reading[]} */ (
    rows || (/json/.test(language) && dataIn(text)) || [{ kind: "code", text, language }]
  );
}
