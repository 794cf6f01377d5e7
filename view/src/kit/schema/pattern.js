/** Longer patterns are left to the server, in UTF-16 units. */
const MAX_PATTERN = 512;
/** Longer inputs are left to the server. */
const MAX_INPUT = 2000;
/** Steps a match may take at worst. */
const MAX_STEPS = 2e7;

/** @typedef {{ regexp: RegExp, maxLength: number }} SafePattern a pattern, and the longest input it may see */

/** @type {Map<unknown, SafePattern | null>} */
const known = new Map();

/**
 * A schema's pattern, when running it cannot freeze the page.
 * @param {unknown} source
 * @returns {SafePattern | null} null: leave this pattern to the server
 */
export function safePattern(source) {
  if (!known.has(source)) known.set(source, screen(source));
  return known.get(source) ?? null;
}

/** @param {unknown} source @returns {SafePattern | null} */
function screen(source) {
  if (typeof source !== "string" || source.length > MAX_PATTERN) return null;
  const maxLength = longestInput(source);
  try {
    return maxLength ? { regexp: new RegExp(source, "u"), maxLength } : null;
  } catch {
    return null;
  }
}

/**
 * The longest input that a backtracking matcher is done with in MAX_STEPS. Every unbounded
 * quantifier multiplies the work by the length, every bounded one by its choices. A repeated
 * group that leaves a choice open is refused, and so are back-references and look-around.
 * @param {string} source
 * @returns {number} characters, 0 when the pattern must not run
 */
export function longestInput(source) {
  const shape = source.replace(/\\[1-9k]/g, "\0").replace(/\\(?:[pPu]\{[^}]*\}|.)/gs, "e").replace(/\[[^\]]*\]/g, "c");
  if (/\0|\(\?<?[=!]/.test(shape) || nestsChoices(shape)) return 0;
  const quantifiers = [...shape.replace(/\(\?(:|<[^>]*>)/g, "(").matchAll(/[*+]|\?(?<![*+?}]\?)|\{(\d+)(,?)(\d*)\}/g)];
  let unbounded = shape.startsWith("^") && !/\|/.test(shape) ? 0 : 1;
  let choices = (shape.match(/\|/g)?.length ?? 0) + 1;
  for (const [sign, low, comma, high] of quantifiers) {
    if (/^[*+]/.test(sign) || (comma && !high)) unbounded++;
    else choices *= sign === "?" ? 2 : Math.max(1, Number(high) - Number(low) + 1);
  }
  return Math.min(MAX_INPUT, Math.floor((MAX_STEPS / choices) ** (1 / Math.max(1, unbounded))));
}

/** Whether a repeated group holds a quantifier or an alternative. @param {string} shape */
function nestsChoices(shape) {
  const repeated = /^(?:[*+]|\{(?!0,1\}|1\}))/;
  /** @type {boolean[]} */
  const open = [];
  for (let at = 0; at < shape.length; at++) {
    const char = shape[at];
    if (char === "(") open.push(false);
    else if (/[*+?|{]/.test(char) && shape[at - 1] !== "(" && open.length) open[open.length - 1] = true;
    else if (char === ")") {
      const choice = open.pop();
      if (choice && repeated.test(shape.slice(at + 1))) return true;
      if (choice && open.length) open[open.length - 1] = true;
    }
  }
  return false;
}
