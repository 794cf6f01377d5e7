// Says how much of real tools' arguments the form asks for in controls of their own:
// `node structured.mjs FOLDER`, where every folder in FOLDER has a `tools.json`.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isPlain, keysOf, list, plain } from "./src/kit/plain.js";
import { describeArguments, isEnvelope } from "./src/kit/schema/describe.js";
import { typeOf } from "./src/kit/schema/resolve.js";

const MAX_DEPTH = 5;

/** @typedef {{ tool: string, path: string, schema: object }} Leftover a place with JSON text where a control could be */

/**
 * Counts the top-level properties whose every part has a control of its own. JSON text is in
 * order where nothing says what the value looks like, and below the depth limit.
 * @param {any[]} tools as a server lists them
 * @param {{ maxDepth?: number }} [options]
 * @returns {{ properties: number, structured: number, leftovers: Leftover[] }}
 */
export function structuredShare(tools, { maxDepth = MAX_DEPTH } = {}) {
  const counted = { properties: 0, structured: 0, leftovers: /** @type {Leftover[]} */ ([]) };
  for (const tool of tools) {
    const spec = describeArguments(tool.inputSchema ?? {}, maxDepth);
    const levels = isEnvelope(spec) ? maxDepth : maxDepth - 1;
    for (const field of topFields(spec, tool.inputSchema)) {
      const found = leftoversIn(field, field.key, levels);
      counted.properties++;
      counted.structured += found.length ? 0 : 1;
      counted.leftovers.push(...found.map((one) => ({ tool: tool.name, ...one })));
    }
  }
  return counted;
}

/** The top-level properties, also of a schema that the form gives up as a whole. */
function topFields(spec, schema) {
  if (spec.fields) return spec.fields;
  if (spec.variants) return spec.variants.flatMap((one) => topFields(one, one.schema));
  return keysOf(plain(plain(schema).properties)).map((key) => ({
    kind: "json",
    key,
    schema: schema.properties[key],
  }));
}

/** @param {any} field @param {string} at @param {number} left how many levels may still follow @returns {{ path: string, schema: object }[]} */
function leftoversIn(field, at, left) {
  const nested = /^(group|list|choices|tuple|map)$/.test(field.kind) ? left - 1 : left;
  if (field.kind === "json")
    return left < 0 || isFree(field.schema) ? [] : [{ path: at, schema: field.schema }];
  return [
    ...list(field.fields).flatMap((one) => leftoversIn(one, `${at}.${one.key}`, nested)),
    ...list(field.variants).flatMap((one, i) => leftoversIn(one, `${at}|${i}`, left)),
    ...[field.item, field.rest?.item].filter(Boolean).flatMap((one) => leftoversIn(one, `${at}[]`, nested)),
  ];
}

/** Whether a schema does not say what its values look like. @param {any} schema resolved */
function isFree(schema) {
  if (!isPlain(schema) || typeOf(schema) === undefined) return true;
  const says = (/** @type {any} */ one) => isPlain(one) && keysOf(one).length > 0;
  return (
    typeOf(schema) === "object" &&
    !["properties", "patternProperties", "additionalProperties"].some((keyword) => says(schema[keyword]))
  );
}

/** @param {string} folder @returns {Map<string, any[]>} the tools of each recorded server */
export function recordedTools(folder) {
  const names = readdirSync(folder)
    .sort()
    .filter((name) => existsSync(path.join(folder, name, "tools.json")));
  return new Map(
    names.map((name) => {
      const recorded = JSON.parse(readFileSync(path.join(folder, name, "tools.json"), "utf8"));
      return [name, recorded.tools ?? recorded];
    }),
  );
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => `${(whole ? (100 * part) / whole : 100).toFixed(2)} %`;

/** @param {string} folder */
function main(folder) {
  const servers = [...recordedTools(folder)].map(([name, tools]) => ({ name, ...structuredShare(tools) }));
  for (const { name, properties, structured, leftovers } of servers) {
    console.log(`${name.padEnd(28)} ${structured} of ${properties} (${percent(structured, properties)})`);
    for (const { tool, path: at, schema } of leftovers)
      console.log(`    ${tool} ${at}: ${JSON.stringify(schema).slice(0, 160)}`);
  }
  const sum = (/** @type {"properties" | "structured"} */ key) =>
    servers.reduce((total, one) => total + one[key], 0);
  console.log(
    `total: ${sum("structured")} of ${sum("properties")} properties (${percent(sum("structured"), sum("properties"))})`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2]);
