import { hasOwn, isArray, isPlain, isString, list, min } from "../plain.js";
import { entryIssues, memberIssues } from "./inside.js";
import { limitProblem } from "./limits.js";
import { matches } from "./pattern.js";
import { lookUp } from "./reference.js";
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {(string | number)[]} Path property names and indexes from the arguments on
 * @typedef {{ path: Path, message: string, missing?: boolean }} Issue why a value is refused, in words for a person
 *
 * @typedef {object} Visit one place of the value, on the way through the schema
 * @property {unknown} root the document that `$ref` refers to
 * @property {Path} path
 * @property {unknown[]} chain schemas followed on the spot
 * @property {{ left: number }} all how many more schemas are followed anywhere
 * @property {boolean} [unsure] whether something was left to the server
 */

const MAX_DEPTH = 40;
const MAX_HOPS = 16;
const MAX_VISITS = 1e4;

/**
 * Checks a JSON value against a schema. What cannot be checked here (remote references, unsafe
 * patterns, `unevaluatedItems`) is left to the server, and nothing is refused because a `not`,
 * `if` or `oneOf` contains it.
 * @param {unknown} value
 * @param {unknown} schema
 * @param {unknown} root the document that `$ref` refers to
 * @returns {Issue[]} empty when it is valid
 */
export function check(value, schema, root) {
  return issuesAt({ root, path: [], chain: [], all: { left: MAX_VISITS } }, value, schema);
}

/** @param {Visit} visit @param {any} value @param {unknown} schema @returns {Issue[]} */
function issuesAt(visit, value, schema) {
  if (schema === false) return refuse(visit, "Nothing is allowed here.");
  if (!isPlain(schema)) return [];
  if (
    visit.path.length > MAX_DEPTH ||
    visit.chain.includes(schema) ||
    visit.chain.push(schema) > MAX_HOPS ||
    --visit.all.left < 0
  )
    return leave(visit);
  const { $ref, allOf, anyOf, oneOf, pattern } = schema;
  const target = isString($ref) ? lookUp(visit.root, $ref) : true;
  if (target === undefined || (isString(pattern) && isString(value) && matches(value, pattern) === undefined))
    leave(visit);
  const problem = limitProblem(value, schema);
  return [
    ...follow(visit, value, target),
    ...list(allOf).flatMap((one) => follow(visit, value, one)),
    ...closest(list(anyOf).map((one) => follow(visit, value, one))),
    ...single(visit, value, list(oneOf)),
    ...conditions(visit, value, schema),
    ...(problem
      ? refuse(visit, problem)
      : isArray(value)
        ? entryIssues(visit, value, schema)
        : isPlain(value)
          ? memberIssues(visit, value, schema)
          : []),
  ];
}

/** @param {Visit} visit @param {string} message @returns {Issue[]} */
export function refuse({ path }, message) {
  return [{ path, message }];
}

/** Leaves something to the server. @param {Visit} visit @returns {Issue[]} */
export function leave(visit) {
  visit.unsure = true;
  return [];
}

/**
 * The issues of another schema for the same value, or with a key for the value there.
 * @param {Visit} visit @param {unknown} value @param {unknown} schema @param {string | number} [key]
 */
export function follow(visit, value, schema, key) {
  const next =
    key === undefined ? again(visit) : { ...visit, path: [...visit.path, key], chain: [], unsure: false };
  const issues = issuesAt(next, value, schema);
  if (!issues.length && next.unsure) leave(visit);
  return issues;
}

/** @param {Visit} visit @returns {Visit} */
export function again(visit) {
  return { ...visit, chain: [...visit.chain], unsure: false };
}

/** @param {Visit} visit @param {unknown} value @param {unknown} schema @returns {boolean | undefined} undefined when only the server can tell */
export function fits(visit, value, schema) {
  const next = again(visit);
  if (issuesAt(next, value, schema).length) return false;
  if (!next.unsure) return true;
  leave(visit);
}

/** The issues of the alternative that was nearest to fit. @param {Issue[][]} results by alternative @returns {Issue[]} */
function closest(results) {
  return results.toSorted(byDistance)[0] ?? [];
}

/**
 * Orders alternatives by how near they are to a value: what is wrong counts before what is
 * missing, and the nearer to the value itself it is, the more.
 * @param {Issue[]} a @param {Issue[]} b
 */
export function byDistance(a, b) {
  const [wrong, other] = [a, b].map((issues) =>
    issues.filter((one) => !one.missing).map(({ path }) => path.length),
  );
  const top = (/** @type {number[]} */ depths) => min(99, ...depths);
  return top(other) - top(wrong) || wrong.length - other.length || a.length - b.length;
}

/** @param {Visit} visit @param {unknown} value @param {unknown[]} schemas of `oneOf` @returns {Issue[]} */
function single(visit, value, schemas) {
  const verdicts = schemas.map((one) => fits(visit, value, one));
  if (verdicts.filter(Boolean).length > 1)
    return refuse(visit, "This fits more than one of the allowed forms.");
  if (verdicts.includes(undefined)) return [];
  return closest(schemas.map((one) => follow(visit, value, one)));
}

/** @param {Visit} visit @param {unknown} value @param {Plain} schema @returns {Issue[]} */
function conditions(visit, value, schema) {
  const holds = hasOwn(schema, "if") ? fits(visit, value, schema.if) : undefined;
  const banned = hasOwn(schema, "not") ? fits(visit, value, schema.not) : false;
  return [
    ...(banned ? refuse(visit, "This value is not allowed here.") : []),
    ...(holds === undefined ? [] : follow(visit, value, holds ? schema.then : schema.else)),
  ];
}
