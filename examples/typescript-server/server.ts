// A plain MCP server in TypeScript, with two tools and no user interface.

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

interface Departure {
  line: string;
  to: string;
  leaves: string;
  platform: number;
  delayMinutes: number;
}

const departures: Departure[] = [
  { line: "IC 4", to: "Bergen", leaves: "2026-06-01T08:05:00Z", platform: 3, delayMinutes: 0 },
  { line: "RE 11", to: "Oslo", leaves: "2026-06-01T08:20:00Z", platform: 1, delayMinutes: 6 },
  { line: "RE 11", to: "Bergen", leaves: "2026-06-01T09:20:00Z", platform: 1, delayMinutes: 0 },
];

const server = new McpServer({ name: "station", version: "1.0.0" });

const departure = z.object({
  line: z.string(),
  to: z.string(),
  leaves: z.string(),
  platform: z.number(),
  delayMinutes: z.number(),
});

server.registerTool(
  "list_departures",
  {
    title: "Departures",
    description: "List the next departures, for all stations or for one.",
    inputSchema: { to: z.enum(["Bergen", "Oslo"]).optional().describe("Where the train goes") },
    outputSchema: { departures: z.array(departure) },
    annotations: { readOnlyHint: true },
  },
  async ({ to }) => {
    const found = { departures: departures.filter((each) => !to || each.to === to) };
    return { content: [{ type: "text", text: JSON.stringify(found) }], structuredContent: found };
  },
);

server.registerTool(
  "announce_delay",
  {
    title: "Announce a delay",
    description: "Tell the passengers of a line how late it is.",
    inputSchema: { line: z.enum(["IC 4", "RE 11"]), minutes: z.number().int().min(0).max(120) },
  },
  async ({ line, minutes }) => {
    for (const each of departures) if (each.line === line) each.delayMinutes = minutes;
    return { content: [{ type: "text", text: `${line} is ${minutes} minutes late.` }] };
  },
);

await server.connect(new StdioServerTransport());
