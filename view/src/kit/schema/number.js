/**
 * The number in a text, exactly.
 * @param {string} text
 * @returns {{ value: number } | { problem: string }}
 */
export function parseNumber(text) {
  const digits = text.trim();
  const value = Number(digits);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return { problem: "Enter a number, such as 12 or 0.5." };
  if (!Number.isFinite(value)) return { problem: "This number is too large." };
  if (/^[+-]?\d+$/.test(digits) && BigInt(value) !== BigInt(digits.replace("+", ""))) return { problem: "This number is too large to be sent exactly." };
  return { value };
}

/**
 * Whether a number is a multiple, for decimal steps too (0.3 is a multiple of 0.1).
 * @param {number} value @param {number} step
 */
export function isMultiple(value, step) {
  const quotient = value / step;
  return step <= 0 || Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}
