const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The number in a text, exactly.
 * @param {string} text
 * @returns {{ value: number } | { problem: string }}
 */
export function parseNumber(text) {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) return { problem: "Enter a number, such as 12 or 0.5." };
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return { problem: "This number is too large." };
  const digits = /^[+-]?\d+$/.test(trimmed);
  if (digits && BigInt(trimmed.replace("+", "")) !== BigInt(value))
    return { problem: "This number is too large to be sent exactly." };
  return { value };
}

/**
 * Whether a number is a multiple, for decimal steps too (0.3 is a multiple of 0.1).
 * @param {number} value @param {number} step
 */
export function isMultiple(value, step) {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}
