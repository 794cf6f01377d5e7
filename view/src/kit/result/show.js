import { nameWords } from "../format.js";
import { hasOwn, isArray, isString, keysOf, list, own, plain, string, valuesOf } from "../plain.js";
import { lookUp } from "../schema/reference.js";
import { resolve } from "../schema/resolve.js";
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {object} Page what renderers need from the page around them
 * @property {number} [limit] characters shown before a cut
 * @property {(url: string) => void} [openLink] asks the host
 * @property {(text: string) => void} [copy] puts a text on the clipboard
 * @property {(resource: object) => void} [download] hands a file to the person, where the host does that
 * @property {unknown} [schema] the tool's output schema, which names columns and fields
 * @property {Plain} [args] the arguments that brought the result
 * @property {boolean} [isQuery] whether one of them is a query, which names the columns
 * @property {string} [kind] how to draw the result: "map" or "timeline"
 * @property {Map<string, any>} [memory] what persons did, by place
 */

const MAX_HOPS = 16;

/**
 * How one value of a result is shown: what the page offers, the words its schema has for it, and
 * what a person did to it (sorted, opened, filtered), which outlives the result.
 */
export class Show {
  /** @type {Page} */
  #page;
  #place = "";
  /** The name under which the value stands, "" at the top. */
  name = "";
  /** What the output schema says of the value. @type {unknown} */
  schema;

  /** @param {Page} [page] */
  constructor(page = {}) {
    page.memory ??= new Map();
    this.#page = page;
    this.schema = page.schema;
  }

  /** The arguments that brought the result. @returns {Plain} */
  get args() {
    return this.#page.args ?? {};
  }

  /** @param {Plain} args of the result that is shown next */
  set args(args) {
    this.#page.args = args;
    this.#page.isQuery = valuesOf(args).some((one) => /^\s*(select|with \w+ as|pragma)\s/i.test(one));
  }

  /** How to draw the result; "" without a hint. */
  get kind() {
    return this.#page.kind ?? "";
  }

  get limit() {
    return this.#page.limit ?? 100_000;
  }

  /** Hands a file to the person: the resource, as a result embeds it. Undefined where the host does not do that. */
  get download() {
    return this.#page.download;
  }

  /** @param {string} url */
  openLink(url) {
    this.#page.openLink?.(url);
  }

  /** @param {string} text */
  copy(text) {
    this.#page.copy?.(text);
  }

  /**
   * The same for a part of the value.
   * @param {string | number} key of an object's member or a list's entry, or a word for another part
   * @param {unknown} [schema] of the part; left out, it is looked up
   * @returns {Show}
   */
  at(key, schema = this.#schemaOf(`${key}`)) {
    const inner = new Show(this.#page);
    inner.#place = `${this.#place}/${key}`;
    inner.name = `${key}`;
    inner.schema = schema;
    return inner;
  }

  /** The words for a member: its title in the schema, or its name, which is data itself where a query asked for it. "Is" asks; a label does not. @param {string} key */
  label(key) {
    return (
      titleOf(this.#schemaOf(key), this.#page.schema) ||
      (this.#page.isQuery ? key : nameWords(key.replace(/^is(?=_|[A-Z])/, "")))
    );
  }

  /** What the schema says about a member, or "". @param {string} key */
  describe(key) {
    return string(this.#resolved(this.#schemaOf(key)).description).trim();
  }

  /**
   * An object that stays the same for this place while the page lives: renderers keep in it what
   * the person chose.
   * @template {object} T
   * @param {string} name of the renderer and the shape it shows, so that another shape starts fresh
   * @param {T} initial
   * @returns {T}
   */
  remember(name, initial) {
    const key = `${this.#place} ${name}`;
    const memory = /** @type {Map<string, any>} */ (this.#page.memory);
    if (!memory.has(key)) memory.set(key, initial);
    return memory.get(key);
  }

  /** @param {string} key @returns {unknown} */
  #schemaOf(key) {
    const { properties, items, additionalProperties } = this.#resolved(this.schema);
    if (items && !isArray(items)) return items;
    return hasOwn(plain(properties), key) ? own(properties, key) : additionalProperties;
  }

  /** @param {unknown} schema @returns {Plain} */
  #resolved(schema) {
    const { schema: one, variants } = resolve(schema, this.#page.schema);
    if (!variants.length) return one;
    const all = variants.map((each) => resolve(each, this.#page.schema).schema);
    const properties = Object.assign({}, ...all.map((each) => plain(each.properties)), one.properties);
    return { ...all.find(({ items }) => items), ...one, ...(keysOf(properties).length && { properties }) };
  }
}

/**
 * The title a schema has for its place. A definition named after its own title, as generated
 * schemas have them, names a type: two addresses in one object are not both "Address".
 * @param {unknown} schema @param {unknown} root @param {number} [hops] @returns {string}
 */
function titleOf(schema, root, hops = 0) {
  const { title, $ref, anyOf, oneOf, allOf } = plain(schema);
  const given = string(title).trim();
  if (given || hops > MAX_HOPS) return given;
  const alternatives = list(anyOf ?? oneOf ?? allOf).filter((one) => plain(one).type !== "null");
  if (!isString($ref)) return alternatives.length === 1 ? titleOf(alternatives[0], root, hops + 1) : "";
  const target = titleOf(lookUp(root, $ref), root, hops + 1);
  return $ref.endsWith(`/${target}`) ? "" : target;
}
