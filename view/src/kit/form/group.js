import { el } from "../el.js";
import { entriesOf, fromEntries, hasOwn, isPlain, keysOf, own, same } from "../plain.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
import { foldRest } from "./more.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look, Problem } from "./field.js" */

/**
 * An object: its fields under a legend, what is required first. Empty and optional, it is left out.
 * @param {FieldSpec} spec @param {Look} look
 * @returns {Field}
 */
export function groupField(spec, look) {
  const fields = [...(spec.fields ?? [])].sort((a, b) => Number(b.required) - Number(a.required));
  const members = new Map(fields.map((one) => [one.key, makeField(one)]));
  const free = spec.rest && makeField(spec.rest);
  const folded = foldRest(fields.map((one) => ({ spec: one, element: /** @type {Field} */ (members.get(one.key)).element })));
  /** What came from outside and has no control here. @type {[string, any][]} */
  let extra = [];
  let given = false;
  const collect = (/** @type {Problem[]} */ problems) => {
    const read = [...members].map(([key, member]) => [key, member.read(problems)]).filter(([, value]) => value !== undefined);
    const more = entriesOf(free?.read(problems) ?? {});
    const twice = more.find(([key]) => members.has(key));
    if (free && twice) problems.push({ field: free, message: `There is a field for "${twice[0]}" already.` });
    return fromEntries([...more.filter(([key]) => !members.has(key)), ...read, ...extra]);
  };
  /** What an untouched form holds: defaults alone do not make an optional object. */
  const blank = collect([]);
  const field = makeFrame(spec, look, [...folded.elements, ...(free ? [free.element] : [])], {
    read(problems) {
      /** @type {Problem[]} */
      const found = [];
      const value = collect(found);
      const untouched = !found.length && (!keysOf(value).length || same(value, blank));
      if (untouched && !given && !spec.required) return undefined;
      problems.push(...found);
      return value;
    },
    write(value) {
      given = isPlain(value);
      for (const [key, member] of members) {
        if (given) member.write(own(value, key));
        else member.reset();
      }
      extra = given ? entriesOf(value).filter(([key]) => !members.has(key)) : [];
      if (free) {
        free.write(fromEntries(extra));
        extra = [];
      }
      folded.show((key) => given && hasOwn(value, key));
    },
    locate(path) {
      const [key, ...rest] = path;
      const member = members.get(/** @type {string} */ (key));
      const [found, left] = member ? member.locate(rest) : free?.locate(path) ?? [field, path];
      return found === free && left.length === path.length ? [field, path] : [found, left];
    },
    children: () => [...members, ...(free ? [/** @type {[string, Field]} */ (["", free])] : [])],
    accepts: (value) => isPlain(value) && (!!free || keysOf(value).every((key) => members.has(key))),
  });
  return field;
}
