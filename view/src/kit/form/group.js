import { el } from "../el.js";
import { entriesOf, fromEntries, isPlain, keysOf, own, plain, same } from "../plain.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look, Problem } from "./field.js" */

/**
 * An object: its fields under a legend. Empty and optional, it is left out.
 * @param {FieldSpec} spec @param {Look} look
 * @returns {Field}
 */
export function groupField(spec, look) {
  const members = (spec.fields ?? []).map((one) => /** @type {[string, Field]} */ ([one.key, makeField(one)]));
  const knows = (/** @type {string} */ key) => members.some(([one]) => one === key);
  /** What came from outside and has no control here. @type {[string, any][]} */
  let extra = [];
  let given = false;
  const collect = (/** @type {Problem[]} */ problems) => {
    const read = members.map(([key, member]) => [key, member.read(problems)]).filter(([, value]) => value !== undefined);
    return fromEntries([...read, ...extra]);
  };
  /** What an untouched form holds: defaults alone do not make an optional object. */
  let blank = collect([]);
  return makeFrame(spec, look, [el("div.fields", members.map(([, member]) => member.element))], {
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
      const source = plain(value);
      for (const [key, member] of members) member.write(own(source, key));
      extra = entriesOf(source).filter(([key]) => !knows(key));
      if (!given) blank = collect([]);
    },
    children: () => members,
    accepts: (value) => isPlain(value) && keysOf(value).every(knows),
  });
}
