// Serves the host page and the sandbox page, on two origins of this machine only. Says on standard
// output where they are, and ends when standard input does.
import { readFileSync } from "node:fs";
import http from "node:http";
import * as esbuild from "esbuild";
import { PROFILES } from "./profiles.mjs";

/** Generation of the official bridge → the module it comes from. */
const BRIDGES = { v2: "@modelcontextprotocol/ext-apps/app-bridge", v1: "ext-apps-v1/app-bridge" };

const here = new URL("./", import.meta.url);

/** @param {string} name */
const text = (name) => readFileSync(new URL(name, here), "utf8");

/** The script of the host page, bundled with one generation of the bridge. @param {string} bridge */
async function hostScript(bridge) {
  const built = await esbuild.build({
    entryPoints: [new URL("page.js", here).pathname],
    alias: { "official-bridge": bridge },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    charset: "ascii",
    legalComments: "none",
  });
  return built.outputFiles[0].text;
}

/** @param {string} script @param {unknown} [settings] for the script, in a data block */
function page(script, settings = null) {
  const data = JSON.stringify(settings).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Test host</title>
<style>html, body { margin: 0 } iframe { display: block; border: 0 }</style>
</head>
<body>
<script type="application/json" id="settings">${data}</script>
<script>${script.replace(/<\/script/gi, "<\\/script")}</script>
</body>
</html>`;
}

/**
 * @param {(request: http.IncomingMessage) => Promise<[body: string, policy?: string] | undefined>} answer
 * @returns {Promise<string>} the origin
 */
function listen(answer) {
  const server = http.createServer(async (request, response) => {
    const [body, policy] = (await answer(request)) ?? [];
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("cache-control", "no-store");
    if (policy) response.setHeader("content-security-policy", policy);
    response.end(body ?? "not found");
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

/** @param {http.IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Pages of the host, by bridge. @type {Map<string | undefined, string>} */
const hostPages = new Map();
for (const [name, bridge] of Object.entries(BRIDGES))
  hostPages.set(`/${name}`, page(await hostScript(bridge)));

const hostOrigin = await listen(async ({ url }) => {
  const found = hostPages.get(url);
  return found === undefined ? undefined : [found];
});

/** Documents that are served under an address of their own. @type {string[]} */
const documents = [];
const sandboxScript = text("sandbox.js");
const parentScript = text("replaced-parent.js");

const sandboxOrigin = await listen(async (request) => {
  const [, kind, name = ""] = (request.url ?? "").split("/");
  if (kind === "documents" && request.method === "POST")
    return [`/documents/${documents.push(await bodyOf(request)) - 1}`];
  if (kind === "documents") return [documents[Number(name)], PROFILES.url.policy];
  const profile = PROFILES[name];
  if (kind !== "sandbox" || !profile) return undefined;
  const settings = { profile, hostOrigin, parentScript: profile.replacedParent ? parentScript : "" };
  const inherited = profile.policyBy === "header" && profile.delivery !== "url";
  return [page(sandboxScript, settings), inherited ? profile.policy : undefined];
});

console.log(
  JSON.stringify({
    host: hostOrigin,
    sandbox: sandboxOrigin,
    profiles: Object.keys(PROFILES),
    bridges: Object.keys(BRIDGES),
  }),
);
process.stdin.on("end", () => process.exit()).resume();
