const DATE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d:?\d\d)`;

/** Format → what it looks like, and how to say so. @type {Map<string, [RegExp, string]>} */
const FORMATS = new Map([
  ["date", [new RegExp(`^${DATE}$`), "Enter a date as YYYY-MM-DD."]],
  ["time", [new RegExp(`^${TIME}$`, "i"), "Enter a time with its offset, such as 14:30:00Z."]],
  ["date-time", [new RegExp(`^${DATE}[t ]${TIME}$`, "i"), "Enter a date and time, such as 2026-01-31T14:30:00Z."]],
  ["email", [/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/, "Enter an e-mail address, such as name@example.com."]],
  ["uri", [/^[a-z][a-z\d+.-]*:[^\s]+$/i, "Enter a full address, such as https://example.com."]],
  ["url", [/^(https?|ftp):\/\/[^\s]+$/i, "Enter a full address, such as https://example.com."]],
  ["uuid", [/^(urn:uuid:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, "Enter a UUID, such as 123e4567-e89b-42d3-a456-426614174000."]],
  ["ipv4", [/^((25[0-5]|2[0-4]\d|1\d\d|\d?\d)(\.(?!$)|$)){4}$/, "Enter an IPv4 address, such as 192.0.2.1."]],
]);

/**
 * @param {string} text
 * @param {unknown} format
 * @returns {string} why the text is not in this format, or ""
 */
export function formatProblem(text, format) {
  const known = FORMATS.get(/** @type {string} */ (format));
  if (!known || text.length > 2000) return "";
  if (!known[0].test(text)) return known[1];
  return format === "date" && new Date(`${text}T00:00Z`).getUTCDate() !== Number(text.slice(8)) ? "There is no such date." : "";
}
