import { min } from "../kit/plain.js";

/** A sentence ends behind these marks; "e.g." and the like do not end one. */
const SENTENCE = /^[^]*?(?:(?<!\b(?:e\.g|i\.e|etc|vs|approx|no|[A-Z]))[.!?](?=\s|$)|[\u3002\uff01\uff1f])/;
const MOST = 160;
/** What is read of a description: no sentence is longer. */
const READ = 2000;

/** A description as its writer meant it: without the indentation of the code that it stood in. @param {string} text */
export function unindented(text) {
  const [first, ...rest] = text.trim().split("\n");
  const depths = rest.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const depth = min(...depths);
  return [first, ...rest.map((line) => line.slice(depths.length ? depth : 0))].join("\n");
}

/**
 * What a description written for a model says to a person in one sentence, without marks of formatting.
 * @param {string} text
 * @returns {string} "" where the description is empty
 */
export function firstSentence(text) {
  const lines = unindented(text.trim().slice(0, READ)).split(
    /\n\s*\n|\n(?=\s*(?:[-*+#>|:@]|\d+\.|[A-Z]\w*:))/,
  );
  const line =
    lines
      .map((one) => one.replace(/^\s*(?:#+|>|[-*+])\s+/, "").trim())
      .find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const words = line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|`+)(?=\S)(.*?\S)\1/g, "$2")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = SENTENCE.exec(words)?.[0] ?? words;
  return sentence.length > MOST ? `${sentence.slice(0, MOST - 1).replace(/\s+\S*$/, "")}\u2026` : sentence;
}
