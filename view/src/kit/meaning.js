/** Last words of names whose numbers tell, place, date or order things, beside those of ids and years: no one adds them up. */
const NAMING = setOf(
  "code port month day hour quarter week number no nr num version revision line column col row index idx position page offset limit rank order priority severity status seed serial account pin lat lon lng latitude longitude start end founded established released published born died built since season vintage edition point decimal cid pk",
);

/** Words anywhere in a name that say it is an id or a code. */
const IDS = setOf(
  "id ids uid gid pid uuid guid zip zipcode postcode phone fax isbn issn ean upc gtin sku asin cik ein ssn iban vin",
);
/** Words anywhere in a name that say it is a year. */
const YEARS = setOf("year yr fy cy jahr ano a\u00f1o ann\u00e9e anno \u5e74 \u5e74\u5ea6");
/** Last words of names that count what they name. */
const COUNTS = setOf(
  "count counts total totals sum size length amount average avg mean max min percent pct rate ratio share sales revenue income profit growth cost costs price value values budget change",
);
/** What follows a unit that was counted: "bytesSent", "seconds_elapsed", "days_left". */
const COUNTED =
  /^(\p{L}+ed|sent|read|written|spent|left|remaining|total|free|available|in|out|up|down|ago|late|early|overdue|count|per)$/u;

/** Units of time, from the shortest. */
export const TIMES = ["nanosecond", "microsecond", "millisecond", "second", "minute", "hour", "day"];
/** Units of `Intl` that names tell by their plural. */
const PLURALS = [...TIMES, "byte", "kilometer", "meter"].map((unit) => `${unit}s`);

/** Units that names tell in short. @type {Record<string, string>} */
const SHORT = {
  kb: "kilobyte",
  mb: "megabyte",
  gb: "gigabyte",
  tb: "terabyte",
  ns: "nanosecond",
  us: "microsecond",
  ms: "millisecond",
  s: "second",
  sec: "second",
  secs: "second",
  pct: "percent",
  percent: "percent",
  percentage: "percent",
  "%": "percent",
  celsius: "celsius",
  km: "kilometer",
  kg: "kilogram",
};

/** @param {string} words */
export function setOf(words) {
  return new Set(words.split(" "));
}

/** The words of a technical name, in small letters: "usedBytes" → used, bytes. @param {string} name */
export function wordsOf(name) {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d%]+/u)
    .filter(Boolean);
}

/** The word that says what a name names: "born_in" → born. @param {string} name */
export function lastWord(name) {
  return wordsOf(name).findLast((word) => word !== "in") ?? "";
}

/** Whether numbers under this name are no amounts: ids, codes, years, places. @param {string} name */
export function namesThings(name) {
  return (NAMING.has(lastWord(name)) || isId(name) || isYear(lastWord(name))) && !isRate(name);
}

/** Whether a name says that what it names is an id: "id_user", "zip_from", "user_ids". @param {string} name */
export function isId(name) {
  const words = wordsOf(name);
  return words.some((word) => IDS.has(word)) && !COUNTS.has(words.at(-1) ?? "");
}

/** Whether a name tells a year: "fiscal_year", "FY", "year_of_birth". @param {string} name */
function isYear(name) {
  const words = wordsOf(name);
  return words.some((word) => YEARS.has(word.replace(/\d+$/, ""))) && !COUNTS.has(words.at(-1) ?? "");
}

/** Whether a number stands as it is: an id or code, or a year by its name and size. @param {string} name @param {number} value */
export function isCode(name, value) {
  if (isRate(name)) return false;
  if (isYear(name) && (value < 1000 || value >= 3000 || !Number.isInteger(value))) return isId(name);
  return isYear(name) || NAMING.has(lastWord(name)) || isId(name);
}

/** @param {string} name */
function isRate(name) {
  return wordsOf(name).includes("per");
}

/**
 * The unit that a name ends with; or begins with, where the rest only says how it was counted.
 * @param {string} name of a field, or a unit as people write it
 * @returns {string} as `Intl` calls it, or ""
 */
export function unitOf(name) {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (isRate(name) || name === "s") return "";
  for (const word of [last, COUNTED.test(last) && words.length === 2 ? words[0] : ""]) {
    if (PLURALS.includes(word)) return word.slice(0, -1);
    if (Object.hasOwn(SHORT, word)) return SHORT[word];
  }
  return "";
}
