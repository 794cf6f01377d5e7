// What the page knows about tools.

import { rpc } from "./api.js";

export const VIEW_TYPE = "text/html;profile=mcp-app";

/** Every tool of the server, all pages of the list. */
export async function listTools() {
  const tools = [];
  let cursor;
  do {
    const page = await rpc("tools/list", cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined && cursor !== null);
  return tools;
}

/** The address of the tool's UI resource, or null. */
export function uiAddress(tool) {
  const address = tool._meta?.ui?.resourceUri ?? tool._meta?.["ui/resourceUri"];
  return typeof address === "string" && address.startsWith("ui://") ? address : null;
}

/** An address without its version. */
export function bare(address) {
  return address.replace(/\?v=[0-9a-f]{8}$/, "");
}

/** Whether the view came with the upstream instead of from the wrapper, whose addresses are made of the name. */
export function bringsItsOwnView(tool) {
  const address = uiAddress(tool);
  return address !== null && decodeURIComponentOr(bare(address).slice(5)) !== tool.name;
}

function decodeURIComponentOr(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function belongsToTheWrapper(tool) {
  return tool.name.startsWith("_ui_");
}

/** The wrapper's own tool `name`, or null; where the upstream has one of that name, ours goes by a longer one. */
export function ownTool(tools, name) {
  const names = [`${name}_of_wrapper`, name];
  return (
    tools
      .filter((tool) => names.includes(tool.name))
      .sort((one, other) => other.name.length - one.name.length)[0] ?? null
  );
}

/** Whether a view may call the tool. */
export function isForViews(tool) {
  const visibility = tool._meta?.ui?.visibility;
  return !Array.isArray(visibility) || visibility.includes("app");
}

/** Whether the model may call the tool. */
export function isForTheModel(tool) {
  const visibility = tool._meta?.ui?.visibility;
  return !Array.isArray(visibility) || visibility.includes("model");
}

/** Whether the tool says that it may destroy something. */
export function isDestructive(tool) {
  const { destructiveHint, readOnlyHint } = tool.annotations ?? {};
  return destructiveHint === true && readOnlyHint !== true;
}

/** Whether the view has a form for the arguments: a view from the wrapper has one. */
export function hasFormInView(tool) {
  return uiAddress(tool) !== null && !bringsItsOwnView(tool);
}

export function titleOf(tool) {
  return tool.title ?? tool.annotations?.title ?? null;
}

/** Words about a tool, each with the look it wants. */
export function badgesOf(tool) {
  const hints = tool.annotations ?? {};
  const badges = [];
  if (bringsItsOwnView(tool))
    badges.push({ text: "own UI", look: "own", hint: "The view comes with the upstream" });
  if (uiAddress(tool) === null && !belongsToTheWrapper(tool))
    badges.push({ text: "no UI", look: "plain", hint: "The tool has no view" });
  if (hints.readOnlyHint === true)
    badges.push({ text: "read-only", look: "safe", hint: "Says that it changes nothing" });
  else if (isDestructive(tool)) {
    badges.push({ text: "destructive", look: "danger", hint: "Says that it may destroy something" });
  }
  if (!isForTheModel(tool)) badges.push({ text: "view only", look: "plain", hint: "Hidden from the model" });
  return badges;
}
