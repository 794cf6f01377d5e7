import { entriesOf, hasOwn, isArray, isPlain, isString, list, own, plain } from "../plain.js";
import { again, fits, follow, leave, refuse } from "./check.js";
import { sizeProblem } from "./limits.js";
import { matches } from "./pattern.js";
import { lookUp } from "./reference.js";
/** @import { Plain } from "../plain.js" */
/** @import { Issue, Visit } from "./check.js" */

/** What is wrong with the entries of a list. @param {Visit} visit @param {any[]} value @param {Plain} schema @returns {Issue[]} */
export function entryIssues(visit, value, schema) {
  const { prefixItems, items, additionalItems } = schema;
  const tuple = list(prefixItems ?? items);
  const rest = isArray(items) ? additionalItems : items;
  return [
    ...contentIssues(visit, value, schema),
    ...value.flatMap((one, i) => follow(visit, one, i < tuple.length ? tuple[i] : rest, i)),
  ];
}

/** @param {Visit} visit @param {any[]} value @param {Plain} schema */
function contentIssues(visit, value, { contains, minContains, maxContains }) {
  if (contains === undefined) return [];
  const found = value.map((one) => fits(visit, one, contains)).filter((fit) => fit !== false);
  const sure = found.every(Boolean);
  const problem = sizeProblem(
    found.length,
    minContains ?? 1,
    sure ? maxContains : undefined,
    "fitting entry",
    "fitting entries",
  );
  return problem ? refuse(visit, problem) : [];
}

/** What is wrong with the members of an object. @param {Visit} visit @param {Plain} value @param {Plain} schema @returns {Issue[]} */
export function memberIssues(visit, value, schema) {
  const { required, dependentRequired, dependentSchemas, dependencies, propertyNames } = schema;
  const given = (/** @type {unknown} */ rules) =>
    entriesOf({ ...plain(dependencies), ...plain(rules) })
      .filter(([name]) => hasOwn(value, name))
      .map(([, rule]) => rule);
  const needed = new Set(
    [required, ...given(dependentRequired)]
      .flatMap(list)
      .filter((name) => isString(name) && !hasOwn(value, name)),
  );
  return [
    ...[...needed].map((name) => ({
      path: [...visit.path, name],
      message: "This field is required.",
      missing: true,
    })),
    ...given(dependentSchemas).flatMap((rule) =>
      follow(visit, value, isPlain(rule) || rule === false ? rule : true),
    ),
    ...entriesOf(value).flatMap(([name, one]) => [
      ...follow(visit, name, propertyNames, name).map((issue) => ({
        ...issue,
        message: `The name is refused: ${issue.message}`,
      })),
      ...memberIssue(visit, name, one, value, schema),
    ]),
  ];
}

/** @param {Visit} visit @param {string} name @param {unknown} one @param {Plain} value @param {Plain} schema @returns {Issue[]} */
function memberIssue(visit, name, one, value, schema) {
  const { properties, additionalProperties, unevaluatedProperties, ...others } = schema;
  const patterns = matching(visit, name, schema);
  const known = hasOwn(plain(properties), name) || patterns.length > 0;
  const rest = known
    ? true
    : (additionalProperties ??
      (unevaluatedProperties === undefined || speaksOf(visit, name, value, others) || unevaluatedProperties));
  if (rest === false) return [{ path: visit.path, message: `The tool knows no argument "${name}".` }];
  return [own(plain(properties), name), ...patterns, rest].flatMap((part) => follow(visit, one, part, name));
}

/** The schemas of `patternProperties` that may be for a name. @param {Visit} visit @param {string} name @param {Plain} schema */
function matching(visit, name, { patternProperties }) {
  return entriesOf(plain(patternProperties)).flatMap(([pattern, part]) => {
    const match = matches(name, pattern);
    if (match === undefined) leave(visit);
    return match === false ? [] : [match ? part : true];
  });
}

/** Whether any part of a schema that holds says something about a property. @param {Visit} visit @param {string} name @param {Plain} value @param {any} schema @returns {boolean} */
function speaksOf(visit, name, value, schema) {
  // Where it gets too much, the server is asked.
  if (--visit.all.left < 0) return true;
  if (!isPlain(schema) || visit.chain.push(schema) > 8) return false;
  const { $ref, allOf, anyOf, oneOf, dependentSchemas } = schema;
  const holds = "if" in schema && fits(visit, value, schema.if) !== false;
  const fitting = [anyOf, oneOf].flatMap(list).filter((one) => fits(visit, value, one) !== false);
  const given = entriesOf(plain(dependentSchemas))
    .filter(([key]) => hasOwn(value, key))
    .map(([, one]) => one);
  return (
    hasOwn(plain(schema.properties), name) ||
    matching(visit, name, schema).length > 0 ||
    "additionalProperties" in schema ||
    "unevaluatedProperties" in schema ||
    [
      ...(isString($ref) ? [lookUp(visit.root, $ref)] : []),
      ...list(allOf),
      ...fitting,
      ...given,
      ...(holds ? [schema.if, schema.then] : "if" in schema ? [schema.else] : []),
    ].some((one) => speaksOf(again(visit), name, value, one))
  );
}
