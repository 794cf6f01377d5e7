/** What documents written against ext-apps import. */
import { App, NOTICES, PROTOCOL_VERSION, REQUESTS } from "./app.js";
import { installBlockedSubmit } from "./blocked-submit.js";
import { RpcError } from "./errors.js";
import {
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
} from "./host-style.js";
import { PostMessageTransport } from "./transport.js";

Object.assign(REQUESTS, {
  readServerResource: "resources/read",
  listServerResources: "resources/list",
  sendOpenLink: "ui/open-link",
});
NOTICES.requestTeardown = "ui/notifications/request-teardown";

export const runtime = {
  App,
  PostMessageTransport,
  RpcError,
  McpError: RpcError,
  LATEST_PROTOCOL_VERSION: PROTOCOL_VERSION,
  /** The mime type of a view. */
  RESOURCE_MIME_TYPE: "text/html;profile=mcp-app",
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
  installBlockedSubmit,
};
