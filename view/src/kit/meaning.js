/** Last words of names whose numbers tell, place, date or order things: nobody adds them up. */
const NAMING = setOf("id ids uid gid pid code zip postcode port year month day hour quarter week number no nr num phone version revision line column col row index idx position page offset limit rank order priority severity status seed serial account pin isbn lat lon lng latitude longitude start end founded established released published born died built since season vintage edition");

/** Units of `Intl` that names tell by their plural. */
const PLURALS = setOf("bytes nanoseconds microseconds milliseconds seconds minutes hours days kilometers meters");

/** Units that names tell in short. @type {Record<string, string>} */
const SHORT = {
  kb: "kilobyte", mb: "megabyte", gb: "gigabyte", tb: "terabyte", ns: "nanosecond", us: "microsecond", ms: "millisecond", s: "second", sec: "second", secs: "second",
  pct: "percent", percent: "percent", percentage: "percent", "%": "percent", celsius: "celsius", km: "kilometer", kg: "kilogram",
};

/** @param {string} words */
export function setOf(words) {
  return new Set(words.split(" "));
}

/** The words of a technical name, in small letters: "usedBytes" → used, bytes. @param {string} name */
export function wordsOf(name) {
  return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").toLowerCase().split(/[^\p{L}\d%]+/u).filter(Boolean);
}

/** The word that says what a name names: "born_in" → born. @param {string} name */
export function lastWord(name) {
  return wordsOf(name).findLast((word) => word !== "in") ?? "";
}

/** Whether numbers under this name are no amounts: ids, codes, years, places. @param {string} name */
export function namesThings(name) {
  return NAMING.has(lastWord(name)) && !isRate(name);
}

/** @param {string} name */
function isRate(name) {
  return wordsOf(name).includes("per");
}

/**
 * The unit that a name ends or begins with.
 * @param {string} name of a field, or a unit as people write it
 * @returns {string} as `Intl` calls it, or ""
 */
export function unitOf(name) {
  const words = wordsOf(name);
  if (isRate(name) || name === "s") return "";
  for (const word of [words.at(-1) ?? "", words[0] ?? ""]) {
    if (PLURALS.has(word)) return word.slice(0, -1);
    if (Object.hasOwn(SHORT, word)) return SHORT[word];
  }
  return "";
}
