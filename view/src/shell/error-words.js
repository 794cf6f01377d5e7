import { el } from "../kit/el.js";
import { nameWords } from "../kit/format.js";
import { entriesOf, isString, list, parseJson, plain } from "../kit/plain.js";
import { renderText } from "../kit/result/reading.js";
import { textBlock } from "../kit/result/text.js";
/** @import { Plain } from "../kit/plain.js" */
/** @import { Show } from "../kit/result/show.js" */

/** What programs put before the words for an error. */
const PREFIX =
  /^\s*(?:input validation error:|invalid arguments for (?:tool )?[\w.-]+:|(?:[\w ]{1,24}\s)?error(?:\s+(?:code\s+)?-?\d+)?\s*:|error (?:executing|calling|running) (?:the )?tool\b[^:\n]{0,100}:|(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\s*:)\s*/i;
/** What a Python program ended with. */
const THROWN = /Traceback \(most recent[^]*\n([A-Z][\w.]*(?:Error|Exception): .+)/;
const SENTENCE = /^[^\n]{1,240}?(?:[.!?](?=\s)|(?=\n)|$)/;

/** The host that a program could not reach. */
const HOST =
  /(?:getaddrinfo \w+ |https?:\/\/|host='|tcp |cting to |ECONN\w+ )((?:(?:[\w-]+\.)+[a-z\d-]+|localhost)(?::\d+)?)/i;

/** What programs say of failures of a common kind: its name, and what a person may do; without that, its name goes on from that of a host. @type {[RegExp, string, string?][]} */
const KINDS = [
  [
    /fetch failed|\bE(CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT)|connection (refused|error)|name resolution|getaddrinfo|unreachable|max retries|unable to connect/i,
    " cannot be reached right now",
  ],
  [/\b429\b|rate.?limit|too many requests|quota/i, "Limit reached", "Try again later."],
  [
    /\b40[13]\b|unauthori[sz]ed|forbidden|(access|permission|authentication) (denied|failed|required)|(invalid|missing|expired) (credentials|token|api.?key)/i,
    "Access denied",
    "Check the server's credentials.",
  ],
];

/** What a validator says of an argument: its name, what it should be, and what came. */
const TYPE =
  /^(?:([\w.[\]-]+): )?(?:Invalid input: )?(?:(?:Field )?required|expected (\w+), received (\w+))(?: at ([\w.[\]-]+))?$/gim;

/** Longer errors are no sentences about arguments. */
const MOST_SAID = 2000;
/** What pydantic adds: how many errors, and behind each where to read more. */
const AROUND = /^\d+ validation errors? for .+\n|^ +For further .+\n?| \[type=.+\]$/gm;

/** The words of validators about arguments as a person says them: which is missing, and what another must be. @param {string} words */
function inPlainWords(words) {
  if (words.length > MOST_SAID) return words;
  return words
    .replace(AROUND, "")
    .replace(/^('.+') does not match (?='.+'$)/, "$1 has the wrong form\n")
    .replace(/^([\w.]+)\n {2}(?=\S)/gm, "$1: ")
    .replace(TYPE, (all, before, type, came = "undefined", after = before) =>
      !after
        ? all
        : came === "undefined"
          ? `${nameWords(after)} is missing`
          : `${nameWords(after)} must be ${/^[aeiou]/i.test(type) ? "an" : "a"} ${type}`,
    )
    .replace(/( is missing| must be an? \w+)\n/g, "$1; ")
    .replace(/^Invalid option: expected (one of .+) at ([\w.]+)$/gm, "$2 must be $1")
    .replace(/^([\w.]+): (?:Input|Value) should be/gm, (_, name) => `${nameWords(name)} must be`);
}

/** The values that a server takes, as validators of three languages list them: `not one of ['a', 'b']`, `expected 'a' | 'b'`, `should be 'a' or 'b'`; or three and more behind a colon: `supported: a, b, c`. */
const LISTED =
  /(?:one of|expected|should be) (\[?(?:(["'])[^"'\n]{1,40}\2(?:, | ?\| ?| or )?){2,24}]?)|[:\uff1a] ?((?:[a-z]\w{0,30}(?:, ?|\u3001| \| )){2,24}[a-z]\w{0,30})\.?$/im;
/** Each of them. */
const VALUE = /(["'])([^"']+)\1|\b(?<!["'] )\w+/g;

/** Words that may be mistyped. */
const WORD = /\b\w{4,20}\b/g;
/** Those that people mistype in queries. */
const KEYWORDS = "SELECT INSERT UPDATE DELETE CREATE FROM WHERE GROUP ORDER";

/** A word in capitals, and with each of its letters left out: two that differ in one letter, or in the order of two, have such a text in common. @param {string} word */
function withoutOne(word) {
  const whole = word.toUpperCase();
  return [whole, ...[...whole].map((_, i) => whole.slice(0, i) + whole.slice(i + 1))];
}

/**
 * What a server takes instead of a value that it refused, where an error names both, or a word that nearly is one that it knows.
 * @param {string} words the error
 * @param {Plain} args of the call
 * @returns {{ listed: string, calls: [value: string, args: Plain][] }} how the error lists them, and the arguments with each of them
 */
export function alternatives(words, args) {
  const [, quoted, , listed = quoted ?? ""] = LISTED.exec(words) ?? [];
  const values = [...listed.matchAll(VALUE)].map(([all, , value = all]) => value);
  const texts = entriesOf(args).filter(([, value]) => isString(value));
  const [key] = (values[0] && texts.find((text) => isRefused(text, values, words))) || [];
  if (key !== undefined) return { listed, calls: values.map((value) => [value, { ...args, [key]: value }]) };
  return {
    listed: "",
    calls: mistyped(words, texts).map(([key, value, meant]) => [meant, { ...args, [key]: value }]),
  };
}

/** Whether an error names an argument or its value, which is none of those that it lists. @param {[string, string]} text @param {string[]} values @param {string} words */
function isRefused([key, value], values, words) {
  return (
    !values.includes(value) &&
    ((!!value[1] && words.split(/[^\w-]+/).includes(value)) ||
      [`'${value}'`, `"${value}"`, `${key}: `, ` at ${key}`].some((sign) => words.includes(sign)))
  );
}

/**
 * The words of texts that an error names and that nearly are words which it or a query language knows.
 * @param {string} words the error @param {[string, string][]} texts by name
 * @returns {[key: string, value: string, meant: string][]} each text with what was meant in it
 */
function mistyped(words, texts) {
  const known = list(`${words.slice(0, MOST_SAID)} ${KEYWORDS}`.match(WORD));
  return texts.flatMap(([key, value]) =>
    list(value.slice(0, MOST_SAID).match(WORD)).flatMap((/** @type {string} */ typed) => {
      const near = words.includes(typed) ? withoutOne(typed) : [];
      const meant = known.find((one) => one !== typed && withoutOne(one).some((each) => near.includes(each)));
      return meant
        ? [/** @type {[string, string, string]} */ ([key, value.replace(typed, meant), meant])]
        : [];
    }),
  );
}

/** @param {string} message */
export function kindOf(message) {
  return KINDS.find(([signs]) => signs.test(message));
}

/**
 * A failure of a common kind in plain words, with what the program said beneath them.
 * @param {string} message @param {HTMLElement[]} words the message as it is shown otherwise
 */
export function namedFailure(message, words) {
  const [, name, next] = kindOf(message) ?? [];
  if (!name) return words;
  const [, host = "The service"] = HOST.exec(message) ?? [];
  const check = /^(localhost|127\.)/.test(host)
    ? "Check that it is running."
    : "Check the network, then try again.";
  return [el("strong", next ? name : host + name), el("span", next ?? check), el("div.rest.stack", words)];
}

/** The first sentence of an error. @param {string} sentence */
function titled(sentence) {
  return el(
    "p",
    sentence.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase()),
  );
}

/**
 * The words for an error: its first sentence, then the rest; whole where `namedFailure` says them in others.
 * @param {string} message @param {Show} show
 * @returns {HTMLElement[]}
 */
export function errorWords(message, show) {
  if (kindOf(message) && !message.includes("\n")) return [el("span", message)];
  let words = message
    .trim()
    .replace(/^#{1,6} +(error|failed|failure)\W*\n\s*/i, "")
    .replace(/^#{1,6} +|^\*\*([^*\n]+)\*\*/, "$1");
  for (let left = 3; left && PREFIX.test(words) && words.replace(PREFIX, ""); left--)
    words = words.replace(PREFIX, "");
  const issues = list(parseJson(words))
    .map((one) => plain(one))
    .filter(({ message }) => isString(message))
    .map(({ path, message }) => [...list(path), ""].join(": ") + message);
  words = inPlainWords(issues.join("\n") || words);
  const [, thrown] = THROWN.exec(words) ?? [];
  const first = thrown || (SENTENCE.exec(words) ?? [])[0];
  if (!first) return [el("div.rest", textBlock(words, show.limit))];
  const rest = thrown ? words : words.slice(first.length).trim();
  return [titled(first), ...(rest ? [el("div.rest", renderText(rest, show.at("error", {})))] : [])];
}
