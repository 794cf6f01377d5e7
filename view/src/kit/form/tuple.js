import { el } from "../el.js";
import { isArray, list, same } from "../plain.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Look } from "./field.js" */

/** A list with a field for each place. @param {FieldSpec} spec @param {Look} look */
export function tupleField(spec, look) {
  const places = (spec.fields ?? []).map((one) => makeField(one));
  /** Entries behind the last place. @type {any[]} */
  let behind = [];
  let given = false;
  const values = (/** @type {import("./field.js").Problem[]} */ problems) =>
    places.map((one) => one.read(problems));
  const blank = values([]);
  return makeFrame(
    spec,
    look,
    [
      el(
        "div.fields",
        places.map((one) => one.element),
      ),
    ],
    {
      read(problems) {
        const all = [...values(problems), ...behind];
        const untouched = !given && same(all, blank);
        if (untouched && !spec.required) return undefined;
        const end = all.findLastIndex((one) => one !== undefined) + 1;
        const gap = all.slice(0, end).indexOf(undefined);
        if (gap >= 0 && !untouched)
          problems.push({ field: places[gap], message: "Fill in this one too, or empty those behind it." });
        return end || spec.required || given ? all.slice(0, gap < 0 ? end : gap) : undefined;
      },
      write(value) {
        given = isArray(value);
        for (const [i, place] of places.entries()) {
          if (given) place.write(list(value)[i]);
          else place.reset();
        }
        behind = list(value).slice(places.length);
      },
      children: () => places.map((one, i) => [i, one]),
    },
  );
}
