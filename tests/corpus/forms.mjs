// Builds the form of every recorded tool and says what a person would find in it.
//
// usage: node forms.mjs RECORDINGS [--json [NTH]]      (RECORDINGS holds a folder with tools.json for each server)
//
// Prints how many properties have controls of their own, and every place where only JSON text does,
// with the reason; with --json, one line for each tool instead, or for each NTH tool. The exit status is 1 where a property
// has no control, a control has no name, or JSON text stands where a control could.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { freshDom } from "../../view/test/dom.js";

freshDom();
const { argumentsForm } = await import("../../view/src/kit/form/arguments.js");
const { describeArguments, isEnvelope } = await import("../../view/src/kit/schema/describe.js");

const MAX_DEPTH = 5;
/** What no form needs to have more of: a schema that repeats itself would fill the page without end. */
const MOST_CONTROLS = 400;
const CONTROLS = "input:not([type=hidden]), select, textarea, button";

/** @returns {{ server: string, tool: any }[]} */
function recorded(folder) {
  const servers = readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, "tools.json")))
    .sort();
  return servers.flatMap((server) =>
    JSON.parse(readFileSync(path.join(folder, server, "tools.json"), "utf8")).tools.map((tool) => ({
      server,
      tool,
    })),
  );
}

/** Why a place can be JSON text only; "" when it need not be. */
function reasonForJson({ schema = {} }, depth) {
  const { type, properties, items, enum: values, const: constant, anyOf, oneOf } = schema;
  if (depth > MAX_DEPTH) return "below the depth limit";
  if (values || constant !== undefined || anyOf || oneOf) return "";
  const types = [type].flat().filter((one) => one !== undefined && one !== "null");
  if (types.length > 1)
    return types.some((one) => one === "object" || one === "array") && !properties
      ? "several free types"
      : "";
  if (!types.length && !properties && !items) return "anything goes";
  if (types[0] === "array" && !holdsTyped(items)) return "a list without a word on its entries";
  return "";
}

/** Whether a schema for members or entries says anything of them. */
const holdsTyped = (schema) =>
  !!schema &&
  typeof schema === "object" &&
  Object.keys(schema).some((key) => !/^(title|description|default|examples)$/.test(key));

/** All places of a form in order, with how deep they are. */
function placesOf(spec, depth) {
  const deeper = /^(group|list|map|tuple)$/.test(spec.kind) ? depth + 1 : depth;
  const inner = [
    ...(spec.fields ?? []),
    ...(spec.variants ?? []),
    ...(spec.item ? [spec.item] : []),
    ...(spec.items ?? []),
  ];
  return [{ spec, depth }, ...inner.flatMap((one) => placesOf(one, deeper))];
}

/** Places that are JSON text, with the reason. */
function jsonPlaces(spec, depth) {
  const places = placesOf(spec, depth);
  const late = places.length > MOST_CONTROLS ? "in a form of more than 400 controls" : "";
  return places
    .filter((one) => one.spec.kind === "json")
    .map((one) => ({ path: one.spec.name, reason: reasonForJson(one.spec, one.depth) || late }));
}

/**
 * Whether a control has a name, by a label or by what it says of itself. `labelled` holds the ids that labels are for:
 * `control.labels` walks the whole document for each label of it in jsdom, 151 s for a form of 408 controls.
 */
const hasName = (control, labelled) =>
  !!(
    control.getAttribute("aria-label") ||
    labelled.has(control.id) ||
    control.closest("label") ||
    control.getAttribute("aria-labelledby") ||
    control.textContent.trim() ||
    control.closest("fieldset")?.querySelector("legend")
  );

/** Opens the further options, whose controls are made when a person opens them; groups in them may have their own. */
function openWhatIsFolded(form) {
  for (let closed; (closed = form.querySelector("details.more-options:not([open])"));) {
    closed.open = true;
    closed.dispatchEvent(new Event("toggle"));
  }
}

/** @returns {object} what is there for each property of a tool */
function survey({ server, tool }) {
  const schema = tool.inputSchema ?? {};
  const form = argumentsForm(schema, { maxDepth: MAX_DEPTH });
  document.body.replaceChildren(form.element);
  openWhatIsFolded(form.element);
  const spec = describeArguments(schema, MAX_DEPTH);
  const places = new Set([...form.element.querySelectorAll("[data-field]")].map((one) => one.dataset.field));
  const has = (name) => [...places].some((place) => place === name || place.startsWith(`${name}.`));
  const fields = spec.fields ?? [];
  const labelled = new Set([...form.element.querySelectorAll("label[for]")].map((one) => one.htmlFor));
  return {
    server,
    tool: tool.name,
    properties: fields.length,
    structured: fields.filter((one) => one.kind !== "json").length,
    missing: form.structured
      ? fields.filter(({ key }) => !has(key)).map(({ key }) => key)
      : Object.keys(schema.properties ?? {}),
    unnamed: [...form.element.querySelectorAll(CONTROLS)]
      .filter((control) => !hasName(control, labelled))
      .map((control) => control.outerHTML.slice(0, 160)),
    json: jsonPlaces(spec, isEnvelope(spec) ? -1 : 0),
  };
}

/** The same, with an exception as a finding. */
function surveyed(one) {
  try {
    return survey(one);
  } catch (error) {
    return {
      server: one.server,
      tool: one.tool.name,
      properties: 0,
      structured: 0,
      missing: [],
      unnamed: [],
      json: [],
      error: String(error.stack),
    };
  }
}

function report(found) {
  const sum = (of) => found.reduce((total, one) => total + of(one), 0);
  const properties = sum((one) => one.properties);
  const structured = sum((one) => one.structured);
  console.log(
    `${found.length} tools, ${properties} top-level properties, ${structured} structured: ${((100 * structured) / properties).toFixed(2)} %`,
  );
  const counts = new Map();
  for (const { reason } of found.flatMap((one) => one.json))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const [reason, count] of counts)
    console.log(`  JSON text, ${reason || "FOR NO REASON"}: ${count} places`);
  for (const one of found) {
    const bad = [
      one.error,
      ...one.missing.map((name) => `no control for ${name}`),
      ...one.unnamed.map((html) => `no name: ${html}`),
      ...one.json.filter(({ reason }) => !reason).map((place) => `JSON text for no reason: ${place.path}`),
    ].filter(Boolean);
    if (bad.length) console.log(`${one.server} / ${one.tool}\n  ${bad.join("\n  ")}`);
  }
}

const [folder, format, nth = "1"] = process.argv.slice(2);
const found = recorded(folder)
  .filter((_, at) => at % Number(nth) === 0)
  .map(surveyed);
if (format === "--json") for (const one of found) console.log(JSON.stringify(one));
else report(found);
process.exitCode = found.some(
  (one) => one.error || one.missing.length || one.unnamed.length || one.json.some(({ reason }) => !reason),
)
  ? 1
  : 0;
