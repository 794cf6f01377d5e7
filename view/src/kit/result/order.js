const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/**
 * Orders cell values: nothing last, numbers by size, the rest as people read it.
 * @param {any} a @param {any} b
 * @returns {number}
 */
export function compareValues(a, b) {
  const empty = Number(a === null || a === undefined) - Number(b === null || b === undefined);
  if (empty || a === b) return empty;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(plainText(a), plainText(b));
}

/** Whether a cell holds a text, lower case. @param {any} value @param {string} text */
export function matches(value, text) {
  return plainText(value).toLowerCase().includes(text);
}

/** @param {any} value */
function plainText(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
