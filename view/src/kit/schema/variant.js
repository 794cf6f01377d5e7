import { asText, entriesOf, isPlain, keysOf, list, own, plain, string } from "../plain.js";
import { TYPE_WORDS } from "./limits.js";
import { merge } from "./merge.js";
import { typeOf } from "./resolve.js";
import { constantsOf } from "./scalar.js";
/** @import { Plain } from "../plain.js" */

/**
 * An alternative with what is said beside all of them. What tells them apart is always sent.
 * @param {Plain} schema @param {Plain} one @param {Plain[]} all
 * @returns {Plain}
 */
export function wholeVariant({ title, description, default: preset, examples, ...limits }, one, all) {
  const tags = keysOf(plain(one.properties)).filter((name) =>
    all.every((other) => isTag(own(plain(other.properties), name))),
  );
  return merge(limits, tags.length ? { ...one, required: [...list(one.required), ...tags] } : one);
}

/** @param {unknown} schema */
function isTag(schema) {
  return isPlain(schema) && constantsOf(schema)?.length === 1;
}

/** @param {Plain} schema of the variant, resolved @returns {string} */
export function variantLabel(schema) {
  const members = entriesOf(plain(schema.properties));
  const tag = members.find(([, one]) => isTag(one));
  const type = own(TYPE_WORDS, typeOf(schema) ?? "") ?? "JSON";
  const format = string(schema.format);
  return (
    string(schema.title) ||
    (tag
      ? `${tag[0]}: ${asText(constantsOf(tag[1])?.[0])}`
      : members
          .slice(0, 4)
          .map(([name]) => name)
          .join(", ")) ||
    type[0].toUpperCase() + type.slice(1) + (format && ` (${format})`)
  );
}
