import { blankSpec } from "./blank.js";
import { check } from "./check.js";
import { resolve } from "./resolve.js";
import { shapeOf } from "./shape.js";
/** @import { Plain } from "../plain.js" */
/** @import { Issue } from "./check.js" */

/**
 * @typedef {"text" | "long" | "number" | "boolean" | "choice" | "choices" | "const" | "date" | "date-time" | "time"
 *   | "list" | "tuple" | "group" | "map" | "variants" | "any" | "json"} Kind
 *
 * @typedef {object} FieldSpec what one control asks for
 * @property {Kind} kind
 * @property {string} name dotted path from the arguments on, for the control's `data-field`: a `name` would shadow members of the form
 * @property {string} key the property's own name
 * @property {string} label
 * @property {string} description
 * @property {boolean} required
 * @property {boolean} nullable
 * @property {Plain} schema resolved
 * @property {any} preset the default, or undefined when there is none that fits
 * @property {(value: unknown) => Issue[]} issues why a value does not fit
 * @property {FieldSpec[]} [fields] of a group or tuple
 * @property {FieldSpec} [rest] a map, for what a group may hold besides its fields
 * @property {FieldSpec} [item] of a list or map
 * @property {FieldSpec[]} [variants]
 * @property {any[]} [values] of a choice, choices or const
 *
 * @typedef {(Partial<FieldSpec> & { kind: Kind }) | undefined} Shape what a schema is drawn as, undefined for JSON text
 *
 * @typedef {object} Place where a schema stands in the form
 * @property {string} key
 * @property {string} name
 * @property {boolean} required
 * @property {number} depth objects and lists around it
 * @property {number} hops schemas around it
 * @property {string} [label] instead of the schema's own
 *
 * @typedef {object} Section a part of the form which is described at once, the beside before the inside
 * @property {unknown} root
 * @property {number} maxDepth
 * @property {{ left: number }} total how many fields the whole form may still get
 * @property {(raw: unknown, place: Place) => FieldSpec} describe
 * @property {(next: (full: boolean) => void) => void} later puts off what is inside; `full` says that
 *   the section is large enough
 */

const MAX_FIELDS = 3000;
const MAX_SECTION = 600;
const MAX_HOPS = 24;

/**
 * Describes the form of a whole argument object.
 * @param {unknown} root the input schema
 * @param {number} maxDepth nested objects and lists beyond it are JSON text; an envelope does not count
 * @returns {FieldSpec} a group or variants, or "json" when the schema is no object
 */
export function describeArguments(root, maxDepth) {
  const spec = describeFrom(root, maxDepth);
  return isEnvelope(spec) ? describeFrom(root, maxDepth + 1) : spec;
}

/**
 * The property that holds everything, when there is only one and it is an object.
 * @param {FieldSpec} spec
 */
export function isEnvelope({ fields = [], rest }) {
  return fields.length === 1 && !rest && fields[0].kind === "group" && !!fields[0].fields?.length;
}

/** @param {unknown} root @param {number} maxDepth @returns {FieldSpec} */
function describeFrom(root, maxDepth) {
  const place = { key: "", name: "", required: true, depth: 0, hops: 0 };
  const spec = describeSection(root, place, { root, maxDepth, total: { left: MAX_FIELDS } });
  return /^(group|variants)$/.test(spec.kind) ? spec : { ...spec, kind: "json" };
}

/**
 * Describes what may never be drawn: a row of a list, an alternative. What is inside of it is looked at when it is asked for.
 * @param {unknown} raw @param {Place} place @param {Pick<Section, "root" | "maxDepth" | "total">} form
 * @returns {FieldSpec}
 */
export function describeSection(raw, place, { root, maxDepth, total }) {
  let left = MAX_SECTION;
  /** @type {((full: boolean) => void)[]} */
  const waiting = [];
  /** @type {Section} */
  const section = {
    root,
    maxDepth,
    total,
    later: (next) => waiting.push(next),
    describe(part, at) {
      const { schema, nullable, variants } = resolve(part, root);
      const spec = blankSpec(schema, nullable, at, (value) => check(value, part, root));
      return --left < 0 || --total.left < 0 || at.hops > MAX_HOPS
        ? spec
        : Object.assign(spec, shapeOf(spec, variants, at, section));
    },
  };
  const spec = section.describe(raw, place);
  const { fields } = spec;
  const unfold = () => {
    for (const [i, next] of waiting.entries()) next(i > 0 && (left < 0 || total.left < 0));
    waiting.length = 0;
    return fields;
  };
  return fields
    ? Object.defineProperty(spec, "fields", { get: unfold, enumerable: true, configurable: true })
    : spec;
}
