import { entriesOf, fromEntries, hasOwn, isArray, isPlain, list, same } from "../plain.js";
/** @import { Plain } from "../plain.js" */

/**
 * One schema out of two which both hold. It is for drawing: where two limits meet, one of them
 * is shown, and the check of the whole document sees to both.
 * @param {Plain} base @param {Plain} over its keywords win
 * @returns {Plain}
 */
export function merge(base, over) {
  const merged = { ...base, ...over };
  const both = (/** @type {string} */ keyword) => hasOwn(base, keyword) && hasOwn(over, keyword);
  for (const keyword of ["properties", "patternProperties"])
    if (both(keyword)) merged[keyword] = mergeMembers(base[keyword], over[keyword]);
  if (both("required")) merged.required = [...new Set([...list(base.required), ...list(over.required)])];
  if (both("items")) merged.items = bothOf(base.items, over.items);
  if (both("type")) merged.type = narrower(base.type, over.type);
  if (isArray(base.enum) && isArray(over.enum))
    merged.enum = base.enum.filter((one) =>
      over.enum.some((/** @type {unknown} */ other) => same(one, other)),
    );
  return merged;
}

/** @param {unknown} base @param {unknown} over @returns {Plain} */
function mergeMembers(base, over) {
  if (!isPlain(base) || !isPlain(over)) return isPlain(over) ? over : /** @type {any} */ (base);
  return fromEntries(
    entriesOf({ ...base, ...over }).map(([name, one]) => [
      name,
      hasOwn(base, name) && hasOwn(over, name) ? bothOf(base[name], one) : one,
    ]),
  );
}

/** @param {unknown} base @param {unknown} over */
function bothOf(base, over) {
  return isPlain(base) && isPlain(over) && base !== over ? { allOf: [base, over] } : over;
}

/** The types that both allow. @param {any} base @param {any} over */
function narrower(base, over) {
  const [few, more] = [[over].flat(), [base].flat()];
  const shared = few.flatMap((type) =>
    more.includes(type) || (type === "integer" && more.includes("number"))
      ? [type]
      : type === "number" && more.includes("integer")
        ? ["integer"]
        : [],
  );
  return shared.length > 1 ? shared : (shared[0] ?? over);
}
