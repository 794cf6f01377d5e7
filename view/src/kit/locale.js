import { attempt, floor, string } from "./plain.js";

/** What the host asked for; undefined is the browser's own. @type {{ locale?: string, timeZone?: string }} */
const chosen = {};
/** @type {Map<string, any>} */
const formats = new Map();

/**
 * Takes over language and time zone; what is missing or no such thing changes nothing.
 * @param {{ locale?: unknown, timeZone?: unknown }} asked `"de-DE"` or `"de_DE"`, and `"Asia/Tokyo"`
 * @returns {boolean} whether numbers or dates read differently now
 */
export function speak({ locale, timeZone }) {
  const before = { ...chosen };
  chosen.locale =
    attempt(() => Intl.getCanonicalLocales(string(locale).replaceAll("_", "-"))[0]) ?? chosen.locale;
  chosen.timeZone =
    attempt(() => new Intl.DateTimeFormat("en", { timeZone: string(timeZone) }).resolvedOptions().timeZone) ??
    chosen.timeZone;
  formats.clear();
  return before.locale !== chosen.locale || before.timeZone !== chosen.timeZone;
}

/** @returns {{ lang: string, dir: "ltr" | "rtl" } | undefined} of the language that the host asked for */
export function language() {
  const { locale: lang } = chosen;
  const isRightToLeft = () =>
    /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/.test(`${new Intl.Locale(lang ?? "").maximize().script}`);
  return lang ? { lang, dir: isRightToLeft() ? "rtl" : "ltr" } : undefined;
}

/** @param {Intl.NumberFormatOptions} [options] @returns {Intl.NumberFormat} */
export function numberFormat(options) {
  return kept("n", options, () => new Intl.NumberFormat(chosen.locale, options));
}

/** Compares texts as people look them up: numbers in them by size, without regard to case. @returns {Intl.Collator} */
export function collator() {
  return kept("c", undefined, () => new Intl.Collator(chosen.locale, { numeric: true, sensitivity: "base" }));
}

/**
 * For times of the wall clock: give it what `wallTime` returned.
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {Intl.DateTimeFormat}
 */
export function dateFormat(options) {
  return kept("d", options, () => new Intl.DateTimeFormat(chosen.locale, { ...options, timeZone: "UTC" }));
}

/**
 * What the clock on the wall shows in the chosen zone, as if that zone were UTC.
 * @param {number} instant in milliseconds
 * @returns {number}
 */
export function wallTime(instant) {
  const clock = kept(
    "wall",
    undefined,
    () =>
      new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium", timeZone: chosen.timeZone }),
  );
  const second = floor(instant / 1000) * 1000;
  return Date.parse(`${clock.format(second).replace(" ", "T")}Z`) + instant - second;
}

/** @template T @param {string} kind @param {object | undefined} options @param {() => T} make @returns {T} */
function kept(kind, options, make) {
  const key = kind + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, make());
  return formats.get(key);
}
