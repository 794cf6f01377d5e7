#!/usr/bin/env node
/** Serves the upstream's tools with their views over stdio. `upstream.json` says which upstream it is. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { withViews } from "./views.js";

/** What `upstream.json` holds: a command with its working directory, or a URL. */
type Upstream =
  | { command: string; args: string[]; cwd: string }
  | { url: string; transport: "http" | "sse"; headers: Record<string, string> };

const folder = fileURLToPath(new URL("../", import.meta.url));
const upstream = transportTo(JSON.parse(readFileSync(resolve(folder, "upstream.json"), "utf8")) as Upstream);
const host = withViews(new StdioServerTransport());

let handshake: RequestId | undefined;
let initialized: Promise<void> | undefined;

host.onmessage = async (message) => {
  await initialized; // over HTTP, a request could overtake it
  const method = "method" in message ? message.method : undefined;
  if (method === "initialize" && "id" in message) handshake = message.id;
  const sent = upstream.send(message).catch((error: Error) => refuse(message, error));
  if (method === "notifications/initialized") initialized = sent;
};

upstream.onmessage = (message) => {
  if ("result" in message && message.id === handshake) {
    upstream.setProtocolVersion?.(String(message.result.protocolVersion)); // a header of HTTP requests
  }
  void host.send(message);
};

host.onerror = upstream.onerror = (error) => console.error(error.message);
upstream.onclose = () => process.exit(1);
process.stdin.once("end", stop);
process.once("SIGINT", stop);
process.once("SIGTERM", stop);

try {
  await upstream.start();
  await host.start();
} catch (error) {
  console.error(`The upstream does not start: ${(error as Error).message}`);
  process.exit(1);
}

function transportTo(to: Upstream): Transport {
  if ("command" in to) {
    const env = process.env as Record<string, string>;
    return new StdioClientTransport({ ...to, cwd: resolve(folder, to.cwd), env });
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(to.headers)) headers[name] = expanded(value);
  const Kind = to.transport === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  return new Kind(new URL(to.url), { requestInit: { headers } });
}

/** Replaces each `${VARIABLE}` by its value. */
function expanded(text: string): string {
  return text.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const value = process.env[name] || fallback;
    if (value === undefined) throw new Error(`The variable ${name} is not set`);
    return value;
  });
}

/** Answers a request that did not reach the upstream. */
function refuse(message: JSONRPCMessage, { message: why }: Error): void {
  console.error(why);
  if ("id" in message && "method" in message) {
    void host.send({ jsonrpc: "2.0", id: message.id, error: { code: -32000, message: why } });
  }
}

async function stop(): Promise<void> {
  upstream.onclose = undefined;
  await upstream.close();
  process.exit();
}
