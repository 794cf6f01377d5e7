// Arguments to begin with: every default, and something of the right type for what is required.

const DEEPEST = 5;

const EMPTY = {
  string: () => "",
  number: (schema) => schema.minimum ?? 0,
  integer: (schema) => Math.ceil(schema.minimum ?? 0),
  boolean: () => false,
  array: () => [],
  null: () => null,
};

export function exampleArguments(schema) {
  return objectFrom(schema ?? {}, schema ?? {}, 0);
}

function objectFrom(schema, root, depth) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const result = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const resolved = resolve(property, root);
    // A default of null says "left out" in so many words; a model leaves it out.
    if (resolved.default !== undefined && resolved.default !== null) result[name] = resolved.default;
    else if (required.has(name)) result[name] = valueFrom(resolved, root, depth + 1);
  }
  return result;
}

function valueFrom(schema, root, depth) {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice && depth < DEEPEST) return valueFrom(resolve(choice, root), root, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) return depth < DEEPEST ? objectFrom(schema, root, depth) : {};
  return (EMPTY[type] ?? EMPTY.string)(schema);
}

/** Follow a local reference once; anything else stays as it is. */
export function resolve(schema, root) {
  if (typeof schema !== "object" || schema === null) return {};
  if (typeof schema.$ref !== "string" || !schema.$ref.startsWith("#/")) return schema;
  const steps = schema.$ref
    .slice(2)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const target = steps.reduce((place, step) => place?.[step], root);
  return typeof target === "object" && target !== null ? { ...target, ...schema } : {};
}
