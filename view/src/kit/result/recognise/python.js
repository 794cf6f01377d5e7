import { isBranch, parseJson } from "../../plain.js";

/** What Python writes in another way than JSON: strings, tuples, words, keys, values in their type's clothes. */
const TOKEN = RegExp([
  /[bru]?'((?:[^'\\]|\\[^])*)'|[bru]?"((?:[^"\\]|\\[^])*)"/,
  /\b[A-Z]\w{0,30}\('([^'\\]*)'\)|\b(?:datetime\.)?date(?:time)?\(([\d, ]+)\)/,
  /[()]|,(?=\s*[\])}])|\b(?:None|True|False|nan)\b|-?\b(?:\d{16,}|[\d.]{1,20}(?=\s*:))|\\[^]/,
].map((one) => one.source).join("|"), "g");

/** @type {Record<string, string>} */
const WORDS = { None: "null", nan: "null", True: "true", False: "false", "(": "[", ")": "]", ",": "" };
/** @type {Record<string, string>} */
const ESCAPES = { n: "\n", t: "\t", r: "\r" };

/**
 * The list, tuple or dict that a text is, as Python writes it. Strict: anything but plain data ends it.
 * @param {string} text
 * @returns {any} as JSON would have it (tuples as lists, dates as text), or undefined
 */
export function pythonIn(text) {
  if (!/^\s*[[({][^]*[\])}]\s*$/.test(text) || /^\s*\([^,]*$/.test(text)) return undefined;
  const value = parseJson(text.replace(TOKEN, (token, single, double, dressed, date) =>
    single ?? double !== undefined ? JSON.stringify(unescaped(single ?? double))
      : dressed !== undefined ? `${Number(dressed)}` === dressed ? dressed : JSON.stringify(dressed)
        : date ? JSON.stringify(isoDate(date)) : WORDS[token] ?? JSON.stringify(token)));
  return isBranch(value) ? value : undefined;
}

/** @param {string} source what stands between quotes */
function unescaped(source) {
  return source.replace(/\\(?:x(..)|u(.{4})|([^]))/g, (_, byte, code, char) => char ? ESCAPES[char] ?? char : String.fromCharCode(parseInt(byte ?? code, 16)));
}

/** @param {string} numbers year, month, day, and what of the time there is */
function isoDate(numbers) {
  const [year, month, day, hour, minute = "00", second = "00"] = numbers.split(",").map((one) => one.trim().padStart(2, "0"));
  return `${year}-${month}-${day}${hour ? `T${hour}:${minute}:${second}` : ""}`;
}
