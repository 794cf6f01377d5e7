import { lastWord, setOf } from "../meaning.js";
import { isBoolean, isString } from "../plain.js";

/** Last words of names whose values are states. */
const STATES = setOf("status state health severity level conclusion outcome phase priority overall");

/** Words of states, by their tone. @type {[tone: string, words: Set<string>][]} */
const TONES = [
  [
    "good",
    setOf(
      "ok okay success successful succeeded pass passed healthy active enabled up running online operational completed done ready merged approved resolved valid available",
    ),
  ],
  ["warning", setOf("warn warning pending degraded moderate partial paused queued waiting medium")],
  [
    "bad",
    setOf(
      "error fail failed failure down offline critical fatal unhealthy blocked rejected invalid expired high violations_found",
    ),
  ],
];

/** Last words of names of truths that are good or bad news. */
const [WELL, ILL] = [
  setOf("valid ok success successful passed healthy ready compliant"),
  setOf("error errors failed failure violations expired"),
];

/**
 * The tone of a state's word: "good", "warning", "bad", "neutral" for a word that has none.
 * @param {unknown} value @param {string} name of the field
 * @returns {string | undefined} undefined where the field holds no state
 */
export function toneOf(value, name) {
  if (isBoolean(value))
    return WELL.has(lastWord(name))
      ? value
        ? "good"
        : "bad"
      : value && ILL.has(lastWord(name))
        ? "bad"
        : "neutral";
  if (
    !isString(value) ||
    value.length > 24 ||
    !STATES.has(lastWord(name)) ||
    !/^\p{L}[\p{L} _-]*$/u.test(value)
  )
    return undefined;
  const words = value.toLowerCase();
  return TONES.find(([, set]) => set.has(words))?.[0] ?? "neutral";
}
