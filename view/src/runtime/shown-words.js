import { list, string } from "../kit/plain.js";

/** A number, or a word that says something: short ones mostly join others. */
const WORD = /\d[\d,]*(\.\d+)?|\p{L}{4,}/gu;
/** The month and the time of a date for programs, which people read in other words. */
const DATE = /(\d{4})-\d\d-(\d\d)(T\S+)?/g;
/** A number may be shown with so many digits of its fraction. */
const DIGITS = [0, 1, 2, 3];

/** The words and numbers of a text, each in one spelling, without where its links lead. @param {string} text */
function wordsOf(text) {
  const words =
    text
      .replace(/\]\(\S*\)/g, "]")
      .replace(DATE, "$1 $2")
      .replace(/(\d)[\u00a0\u202f'](?=\d{3})/g, "$1")
      .toLowerCase()
      .match(WORD) ?? [];
  return words.map((word) => `${+word.replaceAll(",", "") || word}`);
}

/**
 * Tells whether a text says nothing new: all its words and numbers stand somewhere else, maybe rounded or in groups.
 * @param {string} known what is shown, and the data of the result
 * @returns {(text: string) => boolean}
 */
export function repeatsWords(known) {
  const all = new Set(wordsOf(known).flatMap((word) => [word, word.replace(/\D/g, "")]));
  return (text) => {
    const words = wordsOf(text);
    return words[0]
      ? words.every((word) => all.has(word) || DIGITS.some((count) => all.has(`${+(+word).toFixed(count)}`)))
      : known.includes(text.trim());
  };
}

/** The text of an element, and what stands in its controls. @param {any} node @returns {string} */
export function shownIn({ localName, data: text, value, childNodes, shadowRoot }) {
  return /^(script|style)$/.test(localName)
    ? ""
    : [text ?? string(value), ...[...childNodes, ...list(shadowRoot && [shadowRoot])].map(shownIn)].join(" ");
}
