import { eitherOf, isBranch, isString, parseJson } from "../../plain.js";

/** What Python writes in another way than JSON: strings, tuples, words, keys, values in their type's clothes. */
const TOKEN = eitherOf(
  [
    /[bru]?'((?:[^'\\]|\\[^])*)'|[bru]?"((?:[^"\\]|\\[^])*)"/,
    /\b[A-Z]\w{0,30}\('([^'\\]*)'\)|\b(?:datetime\.)?date(?:time)?\(([\d, ]+)\)/,
    /[()]|,(?=\s*[\])}])|\b(?:None|True|False)\b|-?\b(?:nan|inf|NaN|Infinity)\b|-?\b(?:\d{16,}|[\d.]{1,20}(?=\s*:))|\\[^]/,
  ],
  "g",
);

/** @type {Record<string, string>} */
const WORDS = { None: "null", True: "true", False: "false", "(": "[", ")": "]", ",": "" };
/** @type {Record<string, string>} */
const ESCAPES = { n: "\n", t: "\t", r: "\r" };

/** How a number that is not finite stands in JSON until that is parsed. */
const MARK = "\u0000number ";

/** @param {string} word "NaN", "-Infinity", "inf" @returns {string} JSON that `withNotFinite` turns into that number */
export function notFinite(word) {
  return JSON.stringify(MARK + word);
}

/** What `JSON.parse` calls for each value. @param {string} _ @param {any} value */
export function withNotFinite(_, value) {
  return isString(value) && value.startsWith(MARK)
    ? Number(value.slice(MARK.length).replace(/inf$/, "Infinity"))
    : value;
}

/**
 * The list, tuple or dict that a text is, as Python writes it. Strict: anything but plain data ends it.
 * @param {string} text
 * @returns {any} as JSON would have it (tuples as lists, dates as text), or undefined
 */
export function pythonIn(text) {
  if (!/^\s*[[({][^]*[\])}]\s*$/.test(text) || /^\s*\([^,]*$/.test(text)) return undefined;
  const value = parseJson(
    text.replace(TOKEN, (token, single, double, dressed, date) =>
      (single ?? double !== undefined)
        ? JSON.stringify(unescaped(single ?? double))
        : dressed !== undefined
          ? `${Number(dressed)}` === dressed
            ? dressed
            : JSON.stringify(dressed)
          : date
            ? JSON.stringify(isoDate(date))
            : /(nan|inf|NaN|Infinity)$/.test(token)
              ? notFinite(token)
              : (WORDS[token] ?? JSON.stringify(token)),
    ),
    withNotFinite,
  );
  return isBranch(value) ? value : undefined;
}

/** @param {string} source what stands between quotes */
function unescaped(source) {
  return source.replace(/\\(?:x(..)|u(.{4})|([^]))/g, (_, byte, code, char) =>
    char ? (ESCAPES[char] ?? char) : String.fromCharCode(parseInt(byte ?? code, 16)),
  );
}

/** @param {string} numbers year, month, day, and what of the time there is */
function isoDate(numbers) {
  const [year, month, day, hour, minute = "00", second = "00"] = numbers
    .split(",")
    .map((one) => one.trim().padStart(2, "0"));
  return `${year}-${month}-${day}${hour ? `T${hour}:${minute}:${second}` : ""}`;
}
