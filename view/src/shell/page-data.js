import { isPlain, parseJson, plain, string } from "../kit/plain.js";
/** @import { Plain } from "../kit/plain.js" */

/** The element that holds the page's data. */
const PAGE_ID = "mcp-gen-ui-page";

/**
 * @typedef {object} PageData what the wrapper baked into the page
 * @property {Plain} tool the upstream's definition; nothing in it can be trusted
 * @property {{ maxSchemaDepth: number, maxOutputDisplayBytes: number }} limits
 * @property {"light" | "dark" | "system"} theme
 * @property {{ kind: string, text: string } | null} notice
 * @property {string | null} schemaOmitted why there is no input schema
 */

/** @returns {PageData} never throws; what is missing or malformed has its default */
export function readPageData() {
  const data = plain(parseJson(document.getElementById(PAGE_ID)?.textContent ?? ""));
  const limits = plain(data.limits);
  return {
    tool: plain(data.tool),
    limits: {
      maxSchemaDepth: positive(limits.maxSchemaDepth, 5),
      maxOutputDisplayBytes: positive(limits.maxOutputDisplayBytes, 102_400),
    },
    theme: data.theme === "light" || data.theme === "dark" ? data.theme : "system",
    notice: isPlain(data.notice) && string(data.notice.text) ? { kind: string(data.notice.kind), text: data.notice.text } : null,
    schemaOmitted: typeof data.schemaOmitted === "string" ? data.schemaOmitted : null,
  };
}

/** @param {unknown} value @param {number} fallback */
function positive(value, fallback) {
  return typeof value === "number" && value > 0 ? value : fallback;
}
