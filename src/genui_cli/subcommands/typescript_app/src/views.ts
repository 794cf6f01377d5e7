/** Adds the exported views to an MCP server: see `withViews`. */

import { readFileSync } from "node:fs";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import type { JSONRPCMessage, RequestId, Result } from "@modelcontextprotocol/sdk/types.js";

/** One entry of `views.json`. */
interface View {
  tool: string;
  uri: string;
  title: string;
  mimeType: string;
  /** The page, relative to the folder of `views.json`. */
  file: string;
  /** What the page may load, for the host. */
  _meta: Record<string, unknown>;
}

type Answer = Exclude<JSONRPCMessage, { method: string }>;
type Fields = Record<string, unknown>;

const folder = new URL("../", import.meta.url);
const views = JSON.parse(readFileSync(new URL("views.json", folder), "utf8")) as View[];

/**
 * Returns a transport that adds the views to the messages of a server:
 *
 *     await server.connect(withViews(new StdioServerTransport()));
 *
 * A tool gets the address of its view, unless it has one of its own. `resources/list` names the views, and
 * `resources/read` returns their pages. Every other message passes as it is.
 */
export function withViews(transport: Transport): Transport {
  /** The methods of the requests that have no answer yet. */
  const methods = new Map<RequestId, string>();

  const outer: Transport = {
    async start() {
      transport.onclose = () => outer.onclose?.();
      transport.onerror = (error) => outer.onerror?.(error);
      transport.onmessage = (message, extra) => {
        if ("method" in message && "id" in message) {
          const { id, method, params } = message;
          const view = method === "resources/read" && views.find((each) => each.uri === params?.uri);
          if (view) {
            void transport.send({ jsonrpc: "2.0", id, result: read(view) }, { relatedRequestId: id });
            return;
          }
          methods.set(id, method);
        }
        outer.onmessage?.(message, extra);
      };
      await transport.start();
    },
    send(message, options) {
      if ("method" in message || message.id === undefined) return transport.send(message, options);
      const method = methods.get(message.id);
      methods.delete(message.id);
      return transport.send(withAdditions(method, message), options);
    },
    close: () => transport.close(),
    setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
    get sessionId() {
      return transport.sessionId;
    },
  };
  return outer;
}

/** Returns the server's answer to a request, with what the views add to it. */
function withAdditions(method: string | undefined, answer: Answer): Answer {
  if ("result" in answer) return { ...answer, result: edited(method, answer.result) };
  const result = answer.error.code === ErrorCode.MethodNotFound && withoutResources(method);
  return result && answer.id !== undefined ? { jsonrpc: "2.0", id: answer.id, result } : answer;
}

function edited(method: string | undefined, result: Result): Result {
  switch (method) {
    case "initialize":
    case "server/discover":
      return { ...result, capabilities: { resources: {}, ...fields(result.capabilities) } };
    case "tools/list":
      return { ...result, tools: list(result.tools).map(withAddress) };
    case "resources/list":
      // The views follow the last page of the server's own resources.
      if (result.nextCursor) return result;
      return { ...result, resources: [...list(result.resources), ...resources()] };
    default:
      return result;
  }
}

/** Returns the result for a server that has no resources of its own. */
function withoutResources(method: string | undefined): Result | undefined {
  if (method === "resources/list") return { ...COMPLETE, resources: resources() };
  if (method === "resources/templates/list") return { ...COMPLETE, resourceTemplates: [] };
  return undefined;
}

/** Ties a tool to its view, under each name that hosts look for. */
function withAddress(tool: Fields): Fields {
  const meta = fields(tool._meta);
  const ui = fields(meta.ui);
  const view = views.find((each) => each.tool === tool.name);
  if (!view || ui.resourceUri || meta["ui/resourceUri"] || meta["openai/outputTemplate"]) return tool;
  const address = { "ui/resourceUri": view.uri, "openai/outputTemplate": view.uri };
  return { ...tool, _meta: { ...meta, ui: { ...ui, resourceUri: view.uri }, ...address } };
}

function resources(): Fields[] {
  return views.map(({ tool, uri, title, mimeType, _meta }) => ({ uri, name: tool, title, mimeType, _meta }));
}

function read({ uri, mimeType, file, _meta }: View): Result {
  const text = readFileSync(new URL(file, folder), "utf8");
  return { ...COMPLETE, contents: [{ uri, mimeType, text, _meta }] };
}

/** What the protocol requires of a result since it is stateless; older hosts ignore it. */
const COMPLETE = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value : [];
}
