import { el } from "../kit/el.js";
import { isString, list, parseJson, plain } from "../kit/plain.js";
import { renderText } from "../kit/result/reading.js";
import { textBlock } from "../kit/result/text.js";
/** @import { Show } from "../kit/result/show.js" */

/** What programs put before the words for an error. */
const PREFIX = /^\s*(?:input validation error:|invalid arguments for (?:tool )?[\w.-]+:|(?:mcp\s+)?error(?:\s+(?:code\s+)?-?\d+)?\s*:|error (?:executing|calling|running) (?:the )?tool\b[^:\n]{0,100}:|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\s*:)\s*/i;
/** What a Python program ended with. */
const THROWN = /Traceback \(most recent[^]*\n([A-Z][\w.]*(?:Error|Exception): .+)/;
const SENTENCE = /^[^\n]{1,240}?(?:[.!?](?=\s)|(?=\n)|$)/;

/** What programs say of another program that they could not reach. */
export const AWAY = /\b(?:fetch failed|ECONN\w+|ENOTFOUND|ETIMEDOUT|connection refused|name resolution|getaddrinfo|network is unreachable)\b/i;

/**
 * The words for an error: its first sentence, then the rest.
 * @param {string} message @param {Show} show
 * @returns {HTMLElement[]}
 */
export function errorWords(message, show) {
  let words = message.trim().replace(/^#{1,6} +(error|failed|failure)\W*\n\s*/i, "").replace(/^#{1,6} +|^\*\*([^*\n]+)\*\*/, "$1");
  for (let left = 3; left && PREFIX.test(words) && words.replace(PREFIX, ""); left--) words = words.replace(PREFIX, "");
  const issues = list(parseJson(words)).map((one) => plain(one)).filter(({ message }) => isString(message)).map(({ path, message }) => [...list(path), ""].join(": ") + message);
  if (issues.length) words = issues.join("\n");
  const [, thrown] = THROWN.exec(words) ?? [];
  const first = thrown || (SENTENCE.exec(words) ?? [])[0];
  if (!first) return [textBlock(words, show.limit)];
  const rest = thrown ? words : words.slice(first.length).trim();
  return [el("strong", first), ...rest ? [el("div.rest", renderText(rest, show.at("error", {})))] : []];
}
