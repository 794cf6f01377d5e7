import { isArray } from "../kit/plain.js";
import { askPerson } from "./ask-person.js";
import { RpcError } from "./errors.js";
import { create, slice, uncurried } from "./native.js";

const clone = structuredClone;
const endsWith = uncurried(String.prototype.endsWith);
const startsWith = uncurried(String.prototype.startsWith);

/** Prompts cut longer names, so that a view may know its tool by the beginning of its name only. */
const TOLD_CHARACTERS = 100;

/** The tools that the page may call, by every name that its view may know. Without a page there is none, and no limit. @type {Record<string, { name: string, destructive: boolean }> | undefined} */
let callable;
let own = "";
/** What the host calls the page's own tool. */
let atHost = "";
/** The arguments of the one call that a person has just confirmed. @type {unknown} */
let confirmed;
/** The request that waits for a person. @type {{ id: unknown, close: () => void } | undefined} */
let asked;

/**
 * Says once and for all which tools the page may call. Where two names are cut to one, that is the own tool's.
 * @param {any} tool the page's own
 * @param {string[]} related names of tools that only read
 */
export function limitCalls(tool, related) {
  /** @type {NonNullable<typeof callable>} */
  const tools = create(null);
  own = typeof tool.name === "string" ? tool.name : "";
  const known = [...related, own].map((name) => ({
    name,
    destructive: name === own && tool.annotations?.destructiveHint === true,
  }));
  for (const each of known) tools[toldName(each.name)] = each;
  for (const each of known) tools[each.name] = each;
  tools[toldName(own)] = tools[own];
  callable = tools;
}

/** A tool's name as prompts give it to a model. @param {string} name */
function toldName(name) {
  const letters = [...name];
  return letters.length > TOLD_CHARACTERS ? `${letters.slice(0, TOLD_CHARACTERS - 1).join("")}\u2026` : name;
}

/** Lets the next call with these very arguments pass: a person has confirmed it. @param {unknown} args */
export function confirmCall(args) {
  confirmed = args;
}

/** Learns what the host calls the page's tool. @param {any} message of the host */
export function learnName(message) {
  const name = (message?.result?.hostContext ?? message?.params)?.toolInfo?.tool?.name;
  if (typeof name === "string") atHost = name;
}

/** What gateways put before the names of all tools. */
function prefix() {
  return endsWith(atHost, own) ? slice(atHost, 0, atHost.length - own.length) : "";
}

/** What the host calls a tool. @param {string} name */
export function nameAtHost(name) {
  const real = callable?.[name]?.name ?? name;
  if (!atHost || !own) return real;
  return real === own ? atHost : prefix() + real;
}

/** The tool that a call names, under its own name or the host's. @param {unknown} name */
function toolOf(name) {
  if (!callable || typeof name !== "string") return;
  if (callable[name]) return callable[name];
  if (name === atHost) return callable[own];
  const { length } = prefix();
  return length && startsWith(name, prefix()) ? callable[slice(name, length)] : undefined;
}

/**
 * Sends a message if the page may send it. What is sent is a copy: nothing can change it after the decision.
 * It decides without promises, whose methods a view may replace.
 * @param {any} message
 * @param {(wire: any) => void} deliver
 * @param {(error: Error) => void} refuse
 */
export function admit(message, deliver, refuse) {
  const given = message?.params?.arguments;
  const wire = clone(message);
  if (isArray(wire) || wire?.jsonrpc !== "2.0")
    return refuse(new RpcError(-32600, "This is no message of a view"));
  if (wire.method === "notifications/cancelled" && asked && wire.params?.requestId === asked.id)
    asked.close();
  if (wire.method !== "tools/call" || !callable) return deliver(wire);
  const tool = toolOf(wire.params?.name);
  if (!tool) return refuse(new RpcError(-32602, `This view may not call the tool ${wire.params?.name}`));
  wire.params.name = nameAtHost(tool.name);
  const isConfirmed = given !== undefined && given === confirmed;
  confirmed = undefined;
  if (!tool.destructive || isConfirmed) return deliver(wire);
  if (asked) return refuse(new RpcError(-32000, "Another call waits for a confirmation"));
  const close = askPerson(tool.name, (yes) => {
    asked = undefined;
    if (yes) deliver(wire);
    else refuse(new RpcError(-32000, `${tool.name} was not confirmed`));
  });
  asked = { id: wire.id, close };
}
