import { eitherOf, entriesOf, isBoolean, isBranch, keysOf, list, plain, string } from "../../plain.js";
import { walk } from "./walk.js";

/** Longer texts tell of something else, whatever they begin with. */
const LONGEST = 4000;
const SENTENCE = 300;
/** With more words than this, data is more than a message. */
const FEW = 3;

/** How a text begins that tells of a failure; a figure behind the word is a measure. */
const BEGINNING = eitherOf(
  [
    /^\W{0,6}((error|failed|failure|exception)\s*(:(?! *\d+\s*$)|[\n([\d]|- |$)|error (?!handling|reporting|logging)\w+ing\b.*:|(failed|unable) to\b|could(n't| not)\b|can(not|'t)\b)/,
    /^\W{0,6}((unauthorized|forbidden|invalid|unsupported|unknown)\b( [\w-]+){0,3}([:.'"]|$)|\u9519\u8bef|\u5931\u8d25|\u4e0d\u652f\u6301|\u30a8\u30e9\u30fc|\uc624\ub958)|^\u274c/,
    /^(?!no |without |\d)[\w./ '"-]{1,50}(error|exception|failed|failure)( -?\d+)?:(?! *(-?[\d.]|no(?! such)|null|false))/,
  ],
  "i",
);

/** What a single line says somewhere when it tells of a failure. */
const WITHIN =
  /^.*\b(does not exist|not found|no such \w+(?=:)|(permission|access) denied|connection refused|timed out)\b.*$/i;

/** The states of what failed. */
export const FAILED = /^(error|failed|failure)$/i;

/** Whether a text that came as a success says that it failed. @param {string} text */
export function soundsFailed(text) {
  const words = text.trim();
  return (
    words.length < LONGEST &&
    (BEGINNING.test(words) ||
      /^Traceback \(most/m.test(words.slice(0, SENTENCE)) ||
      (words.length < SENTENCE && WITHIN.test(words)))
  );
}

/**
 * Whether data that came as a success says that it failed: by a member that is there for it, or
 * because all its words do. That a thing was found invalid is an answer, not a failure.
 * @param {any} value
 */
export function tellsFailure(value) {
  const { success, ok, status, statusCode = status, error, isError, data, errors } = plain(value);
  if (entriesOf(plain(value)).some(([name, one]) => /valid$/i.test(name) && isBoolean(one))) return false;
  if (
    (!data && list(errors).length) ||
    success === false ||
    ok === false ||
    isError === true ||
    (statusCode >= 400 && statusCode < 600) ||
    FAILED.test(string(status))
  )
    return true;
  if (error === true || string(error).trim() || (isBranch(error) && keysOf(error).length)) return true;
  const words = textsIn(value);
  return words.length > 0 && words.length <= FEW && words.every(soundsFailed);
}

/** All texts in a value that say anything. @param {any} value */
export function textsIn(value) {
  return [...walk(value)].map(([, one]) => string(one)).filter((one) => one.trim());
}
