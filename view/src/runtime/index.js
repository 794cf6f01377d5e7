/** What documents written against ext-apps import. */
export { App, PROTOCOL_VERSION as LATEST_PROTOCOL_VERSION } from "./app.js";
export { PostMessageTransport } from "./transport.js";
export { RpcError, RpcError as McpError } from "./errors.js";
export { applyDocumentTheme, applyHostFonts, applyHostStyleVariables, getDocumentTheme } from "./host-style.js";
export { installBlockedSubmit } from "./blocked-submit.js";
/** The mime type of a view. */
export const RESOURCE_MIME_TYPE = "text/html;profile=mcp-app";
