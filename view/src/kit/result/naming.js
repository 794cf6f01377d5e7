import { isBranch, isNumber, isString, keysOf, own, same } from "../plain.js";
/** @import { Plain } from "../plain.js" */

/** Members that say what a thing is called. */
const NAME = /^((display|full|host|user)_?)?(name|title)$|^(host|label|subject|headline|login)$/i;

/** Members that tell one thing from another. */
const ID = /^_?([iI][dD]|key|slug|uuid|guid|sha|path|uri|url)$|(_id|_ID|[a-z]I[dD])$/;

const MAX_HEADING = 120;

/**
 * The member that a thing is best known by: its name, else its id.
 * @param {Plain} thing
 * @returns {string | undefined} a key
 */
export function nameKey(thing) {
  const keys = keysOf(thing).filter((key) => isShort(thing[key]));
  return keys.find(isName) ?? keys.find((key) => ID.test(key));
}

/** Whether a member names the thing it is in. @param {string} key */
export function isName(key) {
  return NAME.test(key);
}

/** Whether a member tells one thing from another: an id, a path, an address. @param {string} key */
export function tellsApart(key) {
  return ID.test(key);
}

/** Whether a value can stand as a heading. @param {unknown} value */
export function isShort(value) {
  return (
    isNumber(value) ||
    (isString(value) && !!value.trim() && value.length <= MAX_HEADING && !value.includes("\n"))
  );
}

/**
 * What tells the rows of a list apart from run to run: their ids, else their names; where they
 * have neither, their places.
 * @param {any[]} rows
 * @param {string[]} keys of their members
 * @returns {{ by: string | undefined, ids: string[] }} the member used, and one id for each row
 */
export function identify(rows, keys) {
  for (const by of [...keys.filter((key) => ID.test(key)), ...keys.filter(isName)]) {
    const ids = rows.map((row) => own(row, by));
    const texts = ids.map(String);
    if (!ids.some((id) => isBranch(id) || (id ?? "") === "") && new Set(texts).size === rows.length)
      return { by, ids: texts };
  }
  return { by: undefined, ids: rows.map((_, i) => `${i}`) };
}

/** Whether two objects are, by their own words, different things. @param {Plain} a @param {Plain} b */
export function areOthers(a, b) {
  return keysOf(a).some((key) => (ID.test(key) || isName(key)) && !same(own(b, key), a[key]));
}
