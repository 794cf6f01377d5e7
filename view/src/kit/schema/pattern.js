/** Longer patterns are left to the server, in UTF-16 units. */
const MAX_PATTERN = 512;
/** Longer inputs are left to the server. */
const MAX_INPUT = 2000;
/** Steps a match may take at worst. */
const MAX_STEPS = 2e7;

/** What may not occur: back-references (as NUL), look-around, and repeated groups, which may hold a choice. */
const REFUSED = /\0|\(\?<?[=!]|\)(?:[*+]|\{(?!0,1\}|1\}))/;

/** @typedef {{ regexp: RegExp, maxLength: number }} SafePattern a pattern, and the longest input it may see */

/**
 * A schema's pattern, when running it cannot freeze the page.
 * @param {unknown} source
 * @returns {SafePattern | null} null: leave this pattern to the server
 */
export function safePattern(source) {
  try {
    const maxLength = typeof source === "string" && source.length <= MAX_PATTERN ? longestInput(source) : 0;
    return maxLength ? { regexp: RegExp(/** @type {string} */ (source), "u"), maxLength } : null;
  } catch {
    return null;
  }
}

/**
 * The longest input that a backtracking matcher is done with in MAX_STEPS. Every unbounded
 * quantifier multiplies the work by the length, every bounded one by its choices.
 * @param {string} source
 * @returns {number} characters, 0 when the pattern must not run
 */
export function longestInput(source) {
  const shape = source.replace(/\\[1-9k]/g, "\0").replace(/\\(?:[pPu]\{[^}]*\}|.)/gs, "e").replace(/\[[^\]]*\]/g, "c");
  if (REFUSED.test(shape)) return 0;
  const alternatives = shape.split("|").length;
  let unbounded = shape.startsWith("^") && alternatives < 2 ? 0 : 1;
  let choices = alternatives;
  for (const [sign, low, comma, high] of shape.replace(/\(\?(:|<[^>]*>)/g, "(").matchAll(/[*+]|\?(?<![*+?}]\?)|\{(\d+)(,?)(\d*)\}/g)) {
    if (/^[*+]/.test(sign) || (comma && !high)) unbounded++;
    else choices *= sign === "?" ? 2 : Math.max(1, Number(high) - Number(low) + 1);
  }
  return Math.min(MAX_INPUT, Math.floor((MAX_STEPS / choices) ** (1 / Math.max(1, unbounded))));
}
