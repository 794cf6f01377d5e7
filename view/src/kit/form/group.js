import { el } from "../el.js";
import { entriesOf, fromEntries, hasOwn, isPlain, keysOf, lastly, own, same } from "../plain.js";
import { makeFrame } from "./field.js";
import { makeField, presetOf } from "./make.js";
import { foldRest } from "./more.js";
import { restField } from "./rest.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look, Problem } from "./field.js" */

/**
 * An object: its fields under a legend, what is required first. Empty and optional, it is left out.
 * @param {FieldSpec} spec @param {Look} look
 * @returns {Field}
 */
export function groupField(spec, look) {
  const fields = [...(spec.fields ?? [])].sort(lastly(({ required }) => !required));
  const known = new Set(fields.map(({ key }) => key));
  const isKnown = (/** @type {string} */ name) => known.has(name);
  /** Those that are made already. @type {Map<string, Field>} */
  const members = new Map();
  const free = restField(spec);
  /** What came from outside and has no control here. @type {[string, any][]} */
  let extra = [];
  let given = false;
  const folded = foldRest(fields, (one) => {
    const member = makeField(one);
    if (given) member.write(undefined);
    members.set(one.key, member);
    return member.element;
  });
  const collect = (/** @type {Problem[]} */ problems) => {
    const read = fields
      .map((one) => [
        one.key,
        members.has(one.key) ? members.get(one.key)?.read(problems) : given ? undefined : presetOf(one),
      ])
      .filter(([, value]) => value !== undefined);
    const more = entriesOf(free?.read(problems) ?? {});
    const twice = more.find(([key]) => isKnown(key));
    if (free && twice) problems.push({ field: free, message: `There is a field for "${twice[0]}" already.` });
    return fromEntries([...more.filter(([key]) => !isKnown(key)), ...read, ...extra]);
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
      folded.show((key) => given && hasOwn(value, key));
      for (const [key, member] of members) {
        if (given) member.write(own(value, key));
        else member.reset();
      }
      extra = given ? entriesOf(value).filter(([key]) => !isKnown(key)) : [];
      if (free) {
        free.write(fromEntries(extra));
        extra = [];
      }
    },
    locate(path) {
      const [key, ...rest] = path;
      folded.show((one) => one === key);
      const member = members.get(/** @type {string} */ (key));
      const [found, left] = member ? member.locate(rest) : (free?.locate(path) ?? [field, path]);
      return found === free && left.length === path.length ? [field, path] : [found, left];
    },
    children: () => [...members, ...(free ? [/** @type {[string, Field]} */ (["", free])] : [])],
    accepts: (value) => isPlain(value) && (!!free || keysOf(value).every((key) => isKnown(key))),
  });
  return field;
}
