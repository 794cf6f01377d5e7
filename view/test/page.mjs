// Assembles a page the way the wrapper does: `node test/page.mjs tool.json > page.html`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { buildTexts } from "../build.mjs";

const ESCAPES = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/** JSON as ASCII that can stand in a script element. */
export function pageJson(value) {
  return JSON.stringify(value)
    .replace(/[<>&]/g, (char) => ESCAPES[char])
    .replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @param {object} tool @param {{ style: string, script: string }} texts @param {object} [over] other page data */
export function page(tool, { style, script }, over = {}) {
  const limits = { maxSchemaDepth: 5, maxOutputDisplayBytes: 102400 };
  const data = { tool, limits, theme: "system", notice: null, schemaOmitted: null, ...over };
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>View</title>
<style>${style}</style>
<script type="application/json" id="mcp-gen-ui-page">${pageJson(data)}</script>
<script>${script}</script>
</head>
<body>
<script>McpGenUi.startAdaptiveView();</script>
</body>
</html>
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.stdout.write(page(JSON.parse(readFileSync(process.argv[2], "utf8")), await buildTexts()));
