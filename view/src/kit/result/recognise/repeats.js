import { nameWords } from "../../format.js";
import { isBranch, isString, parseJson, same } from "../../plain.js";
import { walk } from "./walk.js";

/** Members of members of members: what is deeper is no answer by itself. */
const PARTS_DEPTH = 3;

/**
 * Tells whether structured content already says what a text says: the same value, one of its parts,
 * or all its values and no word more.
 * @param {any} content nothing is said where it is deeper than the stack
 * @returns {(text: string | undefined, value?: any) => boolean} `value`: what the text was read as
 */
export function alreadySaid(content) {
  /** Made when it is needed: most texts are the very same value. @type {ReturnType<typeof listener> | undefined} */
  let listen;
  return (text, value = parseJson(text ?? "")) => {
    try {
      return same(content, value) || (listen ??= listener(content))(text, value);
    } catch {
      return false;
    }
  };
}

/** @param {any} content @returns {(text: string | undefined, value: any) => boolean} */
function listener(content) {
  const entries = [...walk(content)];
  const parts = new Set([...walk(content, PARTS_DEPTH)].map(([, part]) => keyOf(part)));
  const values = wordsOf(entries.map(([, one]) => isBranch(one) ? "" : one));
  const known = wordsOf([...values, ...entries.flatMap(([name]) => [name, nameWords(name)])]);
  return (text, value) => {
    if (parts.has(keyOf(text)) || parts.has(keyOf(value))) return true;
    const told = wordsOf([text]);
    return values.size > 0 && told.size >= values.size && [...values].every((word) => told.has(word)) && [...told].every((word) => known.has(word));
  };
}

/** @param {any} value */
function keyOf(value) {
  return isString(value) ? `'${value.trim()}` : JSON.stringify(value);
}

/** @param {any[]} texts */
function wordsOf(texts) {
  return new Set(texts.join(" ").toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
