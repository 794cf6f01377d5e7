import { App } from "./runtime/app.js";
import { limitCalls } from "./runtime/gate.js";
import { PostMessageTransport } from "./runtime/transport.js";
import { readPageLimits } from "./shell/page-data.js";

/**
 * Makes the one global of a page: what this kind of page has, and the transport, which pages that leave the wrapper replace. From here on
 * the page may call no tool but its own and related ones.
 * @template {object} T
 * @param {T} parts
 */
export function makeGlobal(parts) {
  const { tool, related } = readPageLimits();
  App.toolName = tool.name;
  limitCalls(tool, related);
  const value = Object.freeze({ PostMessageTransport, ...parts });
  Object.defineProperty(globalThis, "McpGenUi", { value });
  return value;
}
