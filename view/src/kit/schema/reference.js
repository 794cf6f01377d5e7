import { attempt, isBranch, isString, own, plain, string, valuesOf } from "../plain.js";

const MAX_NODES = 5000;

/**
 * What a `$ref` points at inside of its own document.
 * @param {unknown} root the whole schema document
 * @param {string} ref a pointer, an anchor, or the document's own address before one of them
 * @returns {unknown} undefined when it points nowhere
 */
export function lookUp(root, ref) {
  const address = string(plain(root).$id);
  const local = address && ref.startsWith(address) ? ref.slice(address.length) || "#" : ref;
  if (!/^#(\/|$)/.test(local)) return named(root, local);
  /** @type {any} */
  let here = root;
  for (const part of local.split("/").slice(1))
    here = isBranch(here) ? own(here, unescapePointer(part)) : undefined;
  return here;
}

/** @param {string} part */
function unescapePointer(part) {
  // A stray % is a plain character.
  const name = attempt(() => decodeURIComponent(part)) ?? part;
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The parts of a document by anchor and address, gathered once. @type {WeakMap<object, Map<string, unknown>>} */
const parts = new WeakMap();

/** The part of a document with an anchor or address. @param {unknown} root @param {string} name */
function named(root, name) {
  if (!isBranch(root)) return undefined;
  const known = parts.get(root) ?? gather(root);
  parts.set(root, known);
  return known.get(name);
}

/** @param {object} root @returns {Map<string, unknown>} the first part of each name */
function gather(root) {
  /** @type {Map<string, unknown>} */
  const known = new Map();
  /** @type {unknown[]} */
  const found = [root];
  for (const one of found) {
    if (!isBranch(one)) continue;
    for (const name of [isString(one.$anchor) && `#${one.$anchor}`, one.$id])
      if (isString(name) && !known.has(name)) known.set(name, one);
    if (found.length < MAX_NODES) for (const inner of valuesOf(one)) found.push(inner);
  }
  return known;
}
