import { isString, list, parseJson, plain, string } from "../kit/plain.js";
/** @import { Plain } from "../kit/plain.js" */

/** The element that holds the page's data. */
const PAGE_ID = "mcp-gen-ui-page";

/**
 * @typedef {object} PageData what the wrapper baked into the page
 * @property {Plain} tool the upstream's definition; nothing in it can be trusted
 * @property {{ maxSchemaDepth: number, maxOutputDisplayBytes: number }} limits
 * @property {"light" | "dark" | "system"} theme
 * @property {{ kind: string, text: string } | null} notice
 * @property {string[]} related names of the tools that the view may call besides its own
 * @property {Record<string, string>} look custom properties: the accent of the server, and what a team set
 * @property {{ outline: string, picture: string }} icon an SVG path, or a picture of the tool's own in a data URI
 * @property {string} server the name of the server, or ""
 * @property {string} kind what results are drawn as: "map", "timeline", or ""
 * @property {string} schemaOmitted why there is no input schema, or ""
 */

/** @returns {Plain} */
export function stated() {
  return plain(parseJson(document.getElementById(PAGE_ID)?.textContent ?? ""));
}

/** Returns which tools the page may call. @returns {Pick<PageData, "tool" | "related">} never throws, as `readPageData` */
export function readPageLimits() {
  const { tool, related } = stated();
  return { tool: plain(tool), related: list(related).filter(isString) };
}

/**
 * Returns whether the page guards its frame, and whether the view may show frames.
 * @returns {{ guarded: boolean, frames: boolean }} never throws, as `readPageData`
 */
export function readPageGuard() {
  const { guarded, frames } = stated();
  return { guarded: guarded !== false, frames: frames === true };
}

/** @returns {PageData} never throws; what is missing or malformed has its default */
export function readPageData() {
  const { limits, theme, notice, look, icon, server, schemaOmitted, kind: shape } = stated();
  const { maxSchemaDepth, maxOutputDisplayBytes } = plain(limits);
  const { kind, text } = plain(notice);
  return {
    ...readPageLimits(),
    limits: {
      maxSchemaDepth: maxSchemaDepth > 0 ? maxSchemaDepth : 5,
      maxOutputDisplayBytes: maxOutputDisplayBytes > 0 ? maxOutputDisplayBytes : 102_400,
    },
    theme,
    notice: string(text) ? { kind: string(kind), text } : null,
    look: plain(look),
    icon: { outline: string(plain(icon).outline), picture: string(plain(icon).picture) },
    server: string(server),
    kind: string(shape),
    schemaOmitted: string(schemaOmitted),
  };
}
