// Schemas with arguments that fit, and results: every kind of control and of view.
const properties = (one, required = []) => ({ type: "object", properties: one, required });

/** @type {[object, object][]} */
export const SCHEMAS = [
  [
    properties(
      {
        s: { type: "string", minLength: 2, maxLength: 9, pattern: "^[a-z]+$" },
        t: { type: "string", format: "email" },
      },
      ["s"],
    ),
    { s: "abc", t: "a@example.com" },
  ],
  [
    properties({
      n: { type: "integer", minimum: 0, maximum: 5 },
      x: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
    }),
    { n: 0, x: 2.5 },
  ],
  [
    properties(
      { b: { type: "boolean" }, c: { type: "boolean", default: true }, d: { type: ["boolean", "null"] } },
      ["d"],
    ),
    { b: false, c: false, d: null },
  ],
  [
    properties(
      {
        e: { enum: ["a", 1, null] },
        k: { const: 7 },
        m: { type: "array", items: { enum: [1, 2] }, uniqueItems: true },
      },
      ["k"],
    ),
    { e: 1, k: 7, m: [2] },
  ],
  [
    properties({
      d: { type: "string", format: "date" },
      w: { type: "string", format: "date-time" },
      u: { type: "string", format: "uuid" },
      i: { format: "ipv4" },
    }),
    {
      d: "2026-02-28",
      w: "2026-02-28T10:00:00.5Z",
      u: "123e4567-e89b-42d3-a456-426614174000",
      i: "192.0.2.1",
    },
  ],
  [
    properties(
      {
        l: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
        o: { type: "array", items: properties({ a: { type: "integer" } }) },
      },
      ["l"],
    ),
    { l: ["x"], o: [{ a: 1 }, { a: 2 }] },
  ],
  [
    properties(
      {
        g: properties({ a: { type: "string", title: "A", description: "About a", examples: ["x"] } }, ["a"]),
      },
      ["g"],
    ),
    { g: { a: "1" } },
  ],
  [
    properties({
      m: { type: "object", additionalProperties: { type: "integer" }, minProperties: 1 },
      f: { type: "object" },
    }),
    { m: { k: 1 }, f: { any: [1] } },
  ],
  [
    properties({
      v: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      w: {
        anyOf: [
          properties({ kind: { const: "p" } }, ["kind"]),
          properties({ kind: { const: "q" }, z: {} }, ["kind"]),
        ],
      },
    }),
    { v: ["a"], w: { kind: "q", z: 1 } },
  ],
  [
    {
      $defs: {
        n: properties({ next: { $ref: "#/$defs/n" }, id: { allOf: [{ type: "string" }, { maxLength: 3 }] } }),
      },
      ...properties({ n: { $ref: "#/$defs/n" } }),
    },
    { n: { id: "a", next: { id: "b" } } },
  ],
  [
    properties({
      body: { type: "string", default: "x\ny" },
      password: { type: "string", format: "password" },
      q: { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
    }),
    { body: "1\n2", password: "p", q: ["a", 1] },
  ],
  [
    {
      ...properties({ a: { type: "string" } }),
      additionalProperties: false,
      patternProperties: { "^x": {} },
    },
    { a: "b", x1: 2 },
  ],
];

const text = (value) => ({ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) });

export const RESULTS = [
  {
    structuredContent: {
      rows: [{ id: 1, name: "a", when: "2026-06-14", tags: ["x"], deep: { a: 1 } }],
      total: 1,
      note: null,
    },
  },
  { structuredContent: { result: "[1, 2]" }, content: [text("[1, 2]")] },
  { structuredContent: { columns: ["a", { name: "b" }], rows: [[1, 2]] } },
  {
    content: [
      text("plain"),
      text("Error: no"),
      text({ fields: ["a"], values: [[1]] }),
      text({ headers: ["a"], data: [[true]] }),
      text("x".repeat(900)),
    ],
  },
  {
    content: [
      { type: "image", data: "AA==", mimeType: "image/png", annotations: { title: "A dot" } },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
    ],
  },
  {
    content: [
      {
        type: "resource_link",
        uri: "https://example.com/a",
        name: "a",
        title: "A",
        description: "d",
        mimeType: "text/plain",
      },
    ],
  },
  {
    content: [
      { type: "resource", resource: { uri: "a:b", text: "{}", mimeType: "x" } },
      { type: "resource", resource: { uri: "a:c", blob: "AA==", mimeType: "image/png" } },
      { type: "odd" },
    ],
  },
  {
    structuredContent: {
      cards: [{ title: "a", text: "x".repeat(400), parts: [{ n: 1 }] }],
      map: Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`k${i}`, i])),
      wide: [Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, i])), {}],
    },
  },
  {
    structuredContent: {
      prices: Array.from({ length: 90 }, (_, i) => ({
        date: `2024-0${1 + (i % 9)}-1${i % 10}`,
        price: i % 7 ? i / 8 : null,
        volume_bytes: i * 1e6,
      })),
      by_kind: { a: 1.5, b: -2, c: 9 },
    },
  },
  { structuredContent: { result: [1.5, 2, 7, 4, null, 3] } },
  { isError: true, content: [text("no"), {}, null] },
  {
    content: [
      text("# A\n\n**b** `c` [d](https://example.com) \n\n- e\n\n| f |\n|---|\n| *g* |\n\n```js\nh\n```"),
      text("a: 1\nb: 2\nc: 3"),
      text("[('i', None)]"),
    ],
  },
];
