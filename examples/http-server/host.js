// A web page that is a host: it connects to the wrapper and shows the view of each tool.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { show } from "./view.js";

const apps = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const client = new Client({ name: "web-host", version: "1.0.0" }, { capabilities: { extensions: apps } });
await client.connect(
  new StreamableHTTPClientTransport(new URL(new URLSearchParams(location.search).get("server"))),
);

const { tools } = await client.listTools();
for (const tool of tools.filter(({ _meta }) => _meta?.ui?.resourceUri)) {
  const {
    contents: [page],
  } = await client.readResource({ uri: tool._meta.ui.resourceUri });
  await show(document.querySelector("main"), { html: page.text, tool }, { client });
}
