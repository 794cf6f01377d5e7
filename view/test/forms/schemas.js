// Makes schemas as servers write them and as the standard allows, each with values that fit.
const NAMES = [
  "name",
  "length",
  "submit",
  "constructor",
  "some_key",
  "maxItems",
  "query",
  "a.b",
  "path/to",
  "x",
  "y",
  "id",
  "content",
  "ключ",
  "kind",
];
const WORDS = [
  "",
  "a",
  "Paris",
  "two words",
  " padded ",
  "Łódź",
  "1",
  "true",
  "null",
  "[x]",
  "{",
  "line\nline",
  "😀",
  "0.10",
  "e",
];
const FORMATS = {
  date: ["2026-02-28", "1999-12-31"],
  "date-time": ["2026-03-14T15:09:00Z", "2026-03-14T15:09:26.535+02:00"],
  time: ["15:09:00Z", "01:02:03+05:30"],
  email: ["ada@example.com"],
  uri: ["https://example.com/a?b=c#d", "urn:isbn:0451450523"],
  uuid: ["123e4567-e89b-42d3-a456-426614174000"],
  ipv4: ["192.0.2.1"],
  ipv6: ["2001:db8::1", "::1"],
  hostname: ["example.com"],
  duration: ["P1DT2H", "P3W"],
};
const PATTERNS = {
  "^[A-Z]{2}-\\d+$": ["AB-1", "XY-42"],
  "^[a-z]*$": ["", "abc"],
  "\\d": ["a1", "7"],
  "^\\p{L}+$": ["ab", "Łódź"],
};

/** @typedef {{ schema: any, value: () => any }} Made `value` makes one that fits, most of the time */

/**
 * @param {ReturnType<typeof import("./random.js").random>} dice
 * @param {string} draft "2020-12" or "draft-07"
 */
export function schemaMaker(dice, draft) {
  const { integer, chance, pick, times } = dice;
  /** @type {Record<string, any>} */
  const definitions = {};
  const where = draft === "draft-07" ? "definitions" : "$defs";

  const text = () => {
    if (chance(0.3)) {
      const format = pick(Object.keys(FORMATS));
      return { schema: { type: "string", format }, value: () => pick(FORMATS[format]) };
    }
    if (chance(0.2)) {
      const pattern = pick(Object.keys(PATTERNS));
      return { schema: { type: "string", pattern }, value: () => pick(PATTERNS[pattern]) };
    }
    const limits = {
      ...(chance(0.2) && { minLength: integer(0, 3) }),
      ...(chance(0.2) && { maxLength: integer(3, 600) }),
    };
    return { schema: { type: "string", ...limits }, value: () => pick(WORDS) };
  };
  const number = () => {
    const type = pick(["integer", "number"]);
    const bounds = {
      ...(chance(0.3) && { minimum: integer(-3, 0) }),
      ...(chance(0.3) && { maximum: integer(0, 9) }),
      ...(chance(0.1) && { exclusiveMinimum: -1 }),
      ...(chance(0.1) && { multipleOf: pick([1, 2, 0.5, 0.1]) }),
    };
    return {
      schema: { type, ...bounds },
      value: () =>
        pick(type === "integer" ? [0, 1, 2, -1, 4, 9007199254740991] : [0, 0.5, -0.25, 3, 1e21, 0.1, 2.5e-7]),
    };
  };
  const flag = () => ({ schema: { type: "boolean" }, value: () => chance(0.5) });
  const listed = () => {
    const few = pick([
      ["a", "b", "c"],
      [1, 2, 3],
      ["1", 1, true],
      ["", "x"],
      [{ a: 1 }, "b"],
      times(60, (i) => `value ${i}`),
    ]);
    return pick([
      { schema: { enum: few }, value: () => pick(few) },
      {
        schema: { oneOf: few.map((one) => ({ const: one, title: `The ${JSON.stringify(one)}` })) },
        value: () => pick(few),
      },
      { schema: { const: few[0] }, value: () => few[0] },
    ]);
  };
  const free = () => ({
    schema: pick([{}, true, { type: "object" }, { description: "Anything" }]),
    value: () => pick([{}, { a: [1, null] }, { b: "x" }]),
  });

  const list = (depth) => {
    const item = any(depth - 1);
    const limits = {
      ...(chance(0.3) && { minItems: integer(0, 2) }),
      ...(chance(0.2) && { maxItems: integer(2, 4) }),
      ...(chance(0.2) && { uniqueItems: true }),
    };
    return {
      schema: { type: "array", items: item.schema, ...limits },
      value: () => times(integer(0, 3), item.value),
    };
  };
  const tuple = (depth) => {
    const places = times(integer(1, 3), () => any(depth - 1));
    const schemas = places.map((one) => one.schema);
    const rest = pick([undefined, false, true, { type: "integer" }]);
    const schema =
      draft === "draft-07"
        ? { items: schemas, ...(rest !== undefined && { additionalItems: rest }) }
        : { prefixItems: schemas, ...(rest !== undefined && { items: rest }) };
    return {
      schema: { type: "array", ...schema, ...(chance(0.3) && { minItems: 1 }) },
      value: () => places.slice(0, integer(0, places.length)).map((one) => one.value()),
    };
  };
  const object = (depth) => {
    const members = Object.fromEntries(times(integer(1, 4), () => [pick(NAMES), any(depth - 1)]));
    const names = Object.keys(members);
    const required = names.filter(() => chance(0.4));
    const open = chance(0.2) ? any(depth - 1) : undefined;
    const schema = {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, members[name].schema])),
      ...(required.length && { required }),
      ...(open
        ? { additionalProperties: open.schema }
        : chance(0.3) && { additionalProperties: chance(0.7) ? false : true }),
      ...(chance(0.1) && { patternProperties: { "^x-": { type: "integer" } } }),
      ...conditions(names),
    };
    return {
      schema,
      value: () =>
        Object.fromEntries([
          ...names
            .filter((name) => required.includes(name) || chance(0.5))
            .map((name) => [name, members[name].value()]),
          ...(open && chance(0.5) ? [["extra key", open.value()]] : []),
        ]),
    };
  };
  /** Rules about which properties go together. @param {string[]} names */
  const conditions = (names) => {
    const [one, other] = [pick(names), pick(names)];
    if (chance(0.75)) return {};
    return pick([
      draft === "draft-07" ? { dependencies: { [one]: [other] } } : { dependentRequired: { [one]: [other] } },
      {
        if: { required: [one] },
        then: { required: [other] },
        else: { properties: { added: { type: "integer" } } },
      },
      { not: { required: [one, "impossible"] } },
      { anyOf: [{ required: [one] }, { required: [other] }] },
      { propertyNames: { maxLength: 30 } },
      { minProperties: 1 },
      draft === "draft-07" ? {} : { unevaluatedProperties: false },
      draft === "draft-07"
        ? {}
        : {
            dependentSchemas: {
              [one]: { properties: { then_some: { type: "string" } }, required: ["then_some"] },
            },
          },
    ]);
  };
  const map = (depth) => {
    const item = any(depth - 1);
    const key = pick([
      ["additionalProperties", item.schema],
      ["patternProperties", { "^[a-z]": item.schema }],
    ]);
    return {
      schema: {
        type: "object",
        [key[0]]: key[1],
        ...(chance(0.2) && { propertyNames: { pattern: "^[a-z_]+$" } }),
      },
      value: () =>
        Object.fromEntries(
          times(integer(0, 2), (i) => [pick(["a", "key", "__proto__", "z"]) + i, item.value()]),
        ),
    };
  };
  const variants = (depth) => {
    const tagged = times(integer(2, 3), (i) => {
      const one = any(depth - 1);
      const tag = pick([{ const: `v${i}` }, { enum: [`v${i}`], type: "string" }]);
      return {
        schema: {
          type: "object",
          title: chance(0.5) ? `Variant ${i}` : undefined,
          properties: { kind: tag, it: one.schema },
          required: chance(0.7) ? ["kind"] : ["kind", "it"],
        },
        value: () => ({ kind: `v${i}`, it: one.value() }),
      };
    });
    const mixed = [text(), list(depth - 1), flag(), number()].slice(0, integer(2, 4));
    const all = chance(0.5) ? tagged : mixed;
    return {
      schema: { [pick(["oneOf", "anyOf"])]: all.map((one) => one.schema) },
      value: () => pick(all).value(),
    };
  };
  const merged = (depth) => {
    const [one, other] = [object(depth - 1), object(depth - 1)];
    return {
      schema: { allOf: [one.schema, other.schema] },
      value: () => ({ ...one.value(), ...other.value() }),
    };
  };
  const nullable = (depth) => {
    const one = any(depth - 1);
    const { type } = one.schema;
    return {
      schema:
        typeof type === "string" && chance(0.5)
          ? { ...one.schema, type: [type, "null"] }
          : { anyOf: [one.schema, { type: "null" }] },
      value: () => (chance(0.3) ? null : one.value()),
    };
  };
  const referred = (depth) => {
    const name = `d${Object.keys(definitions).length}`;
    definitions[name] = {};
    const one = any(depth - 1);
    definitions[name] =
      chance(0.2) && one.schema.type === "object"
        ? { ...one.schema, properties: { ...one.schema.properties, again: { $ref: `#/${where}/${name}` } } }
        : one.schema;
    return { schema: { $ref: `#/${where}/${name}` }, value: one.value };
  };
  const several = () => ({
    schema: {
      type: pick([
        ["string", "integer"],
        ["boolean", "string", "null"],
        ["number", "string"],
      ]),
    },
    value: () => pick(["x", "12"]),
  });

  const SIMPLE = [text, text, number, flag, listed, several, free];
  const NESTED = [list, tuple, object, object, map, variants, merged, nullable, referred];

  /** @param {number} depth @returns {Made} */
  const any = (depth) => {
    const made = pick(depth > 0 && chance(0.6) ? NESTED : SIMPLE)(depth);
    if (typeof made.schema !== "object") return made;
    const extras = {
      ...(chance(0.15) && { default: pick([made.value(), null, 0, "", false, [], {}, "wrong"]) }),
      ...(chance(0.1) && { examples: [made.value(), "other"] }),
      ...(chance(0.1) && { title: pick(["A title", "", "Nested"]) }),
      ...(chance(0.05) && { deprecated: true }),
      ...(chance(0.03) && { readOnly: true }),
    };
    return { schema: { ...made.schema, ...extras }, value: made.value };
  };

  return {
    /** A whole input schema. @param {number} depth @returns {Made} */
    whole(depth) {
      const one = object(depth);
      return {
        schema: {
          ...(draft === "draft-07" && { $schema: "http://json-schema.org/draft-07/schema#" }),
          ...one.schema,
          [where]: definitions,
        },
        value: one.value,
      };
    },
  };
}
