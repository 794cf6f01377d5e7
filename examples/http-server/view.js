// Shows one view in a page, on the official bridge for MCP Apps.

import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/**
 * Show a view.
 * @param {Element} place where
 * @param {{ html: string, tool: object, input?: object, result?: object }} shown the page, its tool, and a call to begin with
 * @param {{ client?: object, call?: (params: object) => Promise<object> }} server an MCP client, or what calls a tool
 */
export async function show(place, { html, tool, input, result }, { client = null, call }) {
  const frame = document.createElement("iframe");
  frame.title = tool.title ?? tool.name;
  frame.setAttribute("sandbox", "allow-scripts allow-forms"); // no allow-same-origin: the view cannot reach this page
  place.append(frame);

  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const bridge = new AppBridge(
    client,
    { name: "web-host", version: "1.0.0" },
    { serverTools: {}, openLinks: {} },
    { hostContext: { theme, toolInfo: { tool } } },
  );
  if (call) bridge.oncalltool = call;
  bridge.onopenlink = async ({ url }) => (open(url, "_blank", "noopener"), {});
  bridge.onsizechange = ({ height }) => {
    frame.style.blockSize = `${height}px`;
  };
  const ready = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await ready;
  if (input) await bridge.sendToolInput({ arguments: input });
  if (result) await bridge.sendToolResult(result);
}
