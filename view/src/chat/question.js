import { list, parseJson, plain, string } from "../kit/plain.js";
import { stated } from "../shell/page-data.js";
/** @import { Page } from "./index.js" */

const TIMEOUT_MS = 15_000;

/**
 * Makes the function that asks the wrapper about the view of the page, past the app, which lets a view call no tool but its own.
 * It resolves with what the wrapper says: an empty object for no answer, and for a refusal.
 * @param {Page} page
 * @returns {(args: object) => Promise<Record<string, any>>}
 */
export function questionsOf({ app, line, nameAtHost, tool }) {
  const name = string(plain(stated().live).tool);
  let serial = 0;
  const ask = (/** @type {object} */ args) =>
    new Promise((resolve) => {
      const id = `mcp-gen-ui-asked-${++serial}`;
      const end = (/** @type {any} */ data) => {
        unlisten();
        clearTimeout(limit);
        const { structuredContent, content, isError } = plain(data?.result);
        resolve(isError ? {} : plain(structuredContent ?? parseJson(string(plain(list(content)[0]).text))));
      };
      const unlisten = line.listen((data) => {
        if (data?.jsonrpc === "2.0" && data.id === id && !data.method) end(data);
      });
      const limit = setTimeout(end, TIMEOUT_MS);
      line.post({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: nameAtHost(name), arguments: { toolName: tool.name, ...args } },
      });
    });
  // A page that waits for its next view makes way, as for every call.
  return (args) => (app.yielding ? app.yielding(() => ask(args)) : ask(args));
}
