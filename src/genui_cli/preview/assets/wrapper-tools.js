// The wrapper's own tools, as far as this page uses them.

import { rpc, rpcWithProgress } from "./api.js";
import { ownTool } from "./tools.js";

export class WrapperTools {
  /** `tools()` are the tools of the server now. */
  constructor(tools) {
    this.#tools = tools;
  }

  #tools;

  /** Whether the server has the tool: any MCP server may be behind this page. */
  has(name) {
    return ownTool(this.#tools(), name) !== null;
  }

  inspect(toolName) {
    return this.#ask("_ui_inspect", { toolName });
  }

  /** The versions of a tool's view, oldest first. */
  async versions(toolName) {
    return this.has("_ui_history") ? ((await this.#ask("_ui_history", { toolName })).versions ?? []) : [];
  }

  /** One version whole: its `source` and its `page`. */
  version(toolName, version) {
    return this.#ask("_ui_history", { toolName, version });
  }

  rollBack(toolName, version) {
    return this.#ask("_ui_rollback", { toolName, version });
  }

  /** Change a view; the answer is the whole result, for it may come from any server. */
  refine(toolName, feedback, ...more) {
    return this.#change("_ui_refine", { toolName, feedback }, ...more);
  }

  /** Make two new views to choose between; the answer is the whole result. */
  twoVariants(toolName, ...more) {
    return this.#change("_ui_regenerate", { toolName, variants: 2 }, ...more);
  }

  #change(name, args, signal, onProgress) {
    const params = { name: ownTool(this.#tools(), name).name, arguments: args };
    return rpcWithProgress("tools/call", params, signal, ({ message }) => message && onProgress(message));
  }

  async #ask(name, args) {
    const { isError, structuredContent, content } = await rpc("tools/call", {
      name: ownTool(this.#tools(), name).name,
      arguments: args,
    });
    if (isError || !structuredContent)
      throw new Error(content?.find(({ type }) => type === "text")?.text ?? `${name} gave no answer.`);
    return structuredContent;
  }
}
