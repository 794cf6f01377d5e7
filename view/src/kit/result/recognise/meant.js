import {
  attempt,
  entriesOf,
  isBranch,
  isPlain,
  isString,
  keysOf,
  list,
  plain,
  same,
  valuesOf,
} from "../../plain.js";
import { decoded } from "../media.js";
import { joined } from "./rows.js";
/** @import { Plain } from "../../plain.js" */

/**
 * A value as it is meant: columns beside rows as objects, the nodes of a graph's edges, objects of
 * one shape under names as rows, and text in base64 as text. Everything else comes back as it is.
 * @param {any} value
 */
export function asMeant(value) {
  return (
    nodesOf(list(value)) ??
    namedRows(plain(value)) ??
    asText(plain(value)) ??
    (plain(value).type === "text" && keysOf(value).join().length === 9 ? value.text : joined(value))
  );
}

/** What stands at the ends of a graph's edges. @param {any[]} edges */
function nodesOf(edges) {
  const isEdge = (/** @type {any} */ one) =>
    isPlain(plain(one).node) && keysOf(one).every((key) => /^(node|cursor)$/.test(key));
  return edges.length && edges.every(isEdge) ? edges.map(({ node }) => node) : undefined;
}

/** @param {Plain} value */
function namedRows(value) {
  const [first, ...others] = valuesOf(value);
  const keys = keysOf(plain(first));
  const isAlike = (/** @type {any} */ one) =>
    isPlain(one) && same(keysOf(one), keys) && !valuesOf(one).some(isBranch);
  const column = ["name", "key"].find((one) => !keys.includes(one)) ?? "#";
  return others.length && keys.length > 1 && [first, ...others].every(isAlike)
    ? entriesOf(value).map(([name, one]) => ({ [column]: name, ...one }))
    : undefined;
}

/** An object that says that what it holds is in base64. @param {Plain} value */
function asText({ encoding, content, ...others }) {
  return encoding === "base64" && isString(content)
    ? attempt(() => ({ ...others, content: decoded(content) }))
    : undefined;
}
