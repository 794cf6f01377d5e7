import { nameWords } from "../../format.js";
import { instantOf } from "../../instant.js";
import {
  attempt,
  entriesOf,
  fromEntries,
  hasOwn,
  isArray,
  isBoolean,
  isBranch,
  isNothing,
  isNumber,
  isPlain,
  isString,
  keysOf,
  list,
  parseJson,
  plain,
  string,
  valuesOf,
} from "../../plain.js";
import { FAILED } from "./failure.js";
import { jsonIn } from "./json.js";
import { pictureIn } from "./picture.js";
import { walk } from "./walk.js";
/** @import { Plain } from "../../plain.js" */

/** Parts deeper than this are no answer by themselves. */
const PARTS_DEPTH = 3;
/** Pictures deeper than this are not in sight. */
const PICTURES_DEPTH = 3;

/** Texts longer than this are compared as data only. */
const MAX_WORDS = 50_000;

/** What texts write for null. */
const NULLS = "null none nil undefined nan n a na";
/** Words that join others and say nothing alone. */
const JOINTS = "a an and are as at by for from in is of on or the to with";
/** A name, and what stands behind its colon. */
const LABELLED = /(\p{L}[\p{L}\p{N} _-]{0,40}?)[*_]*\s?[:=][*_]*\s*([^\n;:=]+?)(?=,\s|[;:=\n]|$)/gu;
const MARKS = /^\s*(\d{1,4}[.)]|[-*\u2022])\s/gm;

/** Members of an error that only say that it is one. */
const FLAGS = /^(success|ok|failed|error|is_?error)$/i;

/** Whether a value is what a serializer may leave out: nothing, a zero or a false. @param {any} value @returns {boolean} */
function isDefault(value) {
  return (
    isNothing(value) ||
    value === false ||
    value === 0 ||
    (isBranch(value) && valuesOf(value).every(isDefault))
  );
}

/**
 * Whether a value contains all that another one says. Names may differ in case and underscores,
 * numbers and dates in their spelling, objects in the order of their members.
 * @param {any} whole @param {any} part
 * @param {(value: any) => boolean} mayLack whether a member of the part may be missing
 * @returns {boolean}
 */
export function covers(whole, part, mayLack = isNothing) {
  if (isNothing(part)) return isNothing(whole);
  if (!isBranch(whole) || !isBranch(part)) return !isBranch(whole) && !isBranch(part) && isSame(whole, part);
  if (isArray(whole) || isArray(part))
    return (
      isArray(whole) &&
      isArray(part) &&
      whole.length === part.length &&
      part.every((one, i) => covers(whole[i], one, mayLack))
    );
  /** @type {Map<string, string> | undefined} */
  let names;
  return entriesOf(part).every(([key, one]) => {
    const name = hasOwn(whole, key)
      ? key
      : (names ??= new Map(keysOf(whole).map((each) => [folded(each), each]))).get(folded(key));
    return name === undefined ? mayLack(one) : covers(whole[name], one, mayLack);
  });
}

/** Whether two values differ at most in members that a serializer may leave out. @param {any} a @param {any} b */
export function alike(a, b) {
  return attempt(() => covers(a, b, isDefault) && covers(b, a, isDefault)) ?? false;
}

/** @param {string} name */
function folded(name) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") || name;
}

/** Whether two plain values are the same; a number and its digits are, also where it could not hold all of these. @param {any} a @param {any} b */
function isSame(a, b) {
  const [number, text] = isString(a) ? [b, a] : [a, b];
  const isDigits =
    isNumber(number) && isString(text) && /^\s*-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?\s*$/i.test(text);
  return isDigits ? number === Number(text) : spelling(a) === spelling(b);
}

/** A plain value in one spelling. @param {any} value @returns {string} */
function spelling(value) {
  if (!isString(value)) return `${value}`;
  const text = value.trim();
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text)) return `${Number(text)}`;
  const instant = instantOf(text);
  return instant
    ? `${instant.at} ${instant.zoned}`
    : /^(true|false)$/i.test(text)
      ? text.toLowerCase()
      : text;
}

/**
 * Tells whether structured content already says what a text says: the same value, one of its parts,
 * or all its values and no other word.
 * @param {any} content nothing is said where it is deeper than the stack
 * @returns {(text: string | undefined, value?: any) => boolean} `value`: what the text was read as
 */
export function alreadySaid(content) {
  /** Made when it is needed: most texts are the very same value. @type {ReturnType<typeof listener> | undefined} */
  let listen;
  return (text, value = parseJson(text ?? "")) =>
    alike(content, value) || (attempt(() => (listen ??= listener(content))(text, value)) ?? false);
}

/** @param {any} content @returns {(text: string | undefined, value: any) => boolean} */
function listener(content) {
  const all = [...walk(content, PARTS_DEPTH)]
    .flatMap(([, part]) => [part, jsonIn(part)])
    .filter((one) => one !== undefined);
  const parts = new Set(all.map(keyOf));
  /** @type {(text: string) => boolean} */
  let writesOut;
  return (text, value) => {
    if (parts.has(keyOf(text)) || parts.has(keyOf(value))) return true;
    if (isBranch(value))
      return (
        all.some(
          (part) =>
            isBranch(part) &&
            (isArray(part) ? part.length === value.length : !isNothing(part)) &&
            alike(part, value),
        ) || alike(content, onlyMember(value))
      );
    return isString(text) && text.length < MAX_WORDS && (writesOut ??= writer(content))(text);
  };
}

/** Fewer words than these are a message. */
const FEW_WORDS = 8;
/** With this share of its words in the data a text says the same in other words. */
const RETOLD = 0.75;

/** Whether nearly all words and numbers of a text are in some data. @param {any} content @param {string} text */
export function retells(content, text) {
  if (text.length > MAX_WORDS) return false;
  const said = new Set(
    [...walk(content)].flatMap(([key, one]) => stemsOf(`${key} ${isBranch(one) ? "" : one}`)),
  );
  const words = stemsOf(text);
  return words.length >= FEW_WORDS && words.filter((word) => said.has(word)).length >= RETOLD * words.length;
}

/** The words of a text that say something: its numbers ungrouped, its longer words without an ending. @param {string} text */
function stemsOf(text) {
  const words =
    text
      .replace(/(\d),(?=\d{3})/g, "$1")
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/\p{L}{3,}|\d+(\.\d+)?/gu) ?? [];
  return words.map((word) => word.replace(/s$/, ""));
}

/** What a value has around it, taken off. @param {any} value @returns {any} */
function onlyMember(value) {
  const [inner, ...others] = valuesOf(value).filter((one) => !isDefault(one));
  return others.length || !isBranch(inner) ? undefined : inner;
}

/**
 * Tells whether a text has all values of some data, under their names where it has these, and no other word.
 * @param {any} content @returns {(text: string) => boolean}
 */
function writer(content) {
  const entries = [...walk(content)];
  const leaves = entries.filter(([, one]) => !isBranch(one) && !isNothing(one));
  const spelled = leaves.map(([, one]) => spellings(one));
  const names = new Set(entries.flatMap(([name]) => [name, nameWords(name)]));
  /** @type {Set<string>} */
  let known;
  return (text) => {
    const told = wordsOf(text);
    const decimals = new Set([...told].map((word) => /^-?\d+\.(\d+)$/.exec(word)?.[1].length ?? 0));
    const rounded = (/** @type {any} */ one) =>
      isNumber(one) && one % 1 ? [...decimals].map((digits) => [`${Number(one.toFixed(digits))}`]) : [];
    /** @type {string[][][]} */
    const ways = [];
    const isTold = (/** @type {[string, any]} */ [, one], /** @type {number} */ i) => {
      ways.push([...spelled[i].map((way) => [...wordsOf(way)]), ...rounded(one)]);
      return ways[i].some((words) => words.every((word) => told.has(word)));
    };
    if (!leaves.length || !leaves.every(isTold)) return false;
    const said = new Set(ways.flat(2));
    known ??= wordsOf([NULLS, JOINTS, ...names, ...spelled.flat()].join(" "));
    const isKnown = (/** @type {string} */ word) => known.has(word) || said.has(word);
    /** @type {Map<string, number[]>} */
    const byName = new Map();
    leaves.forEach(([name], i) => byName.get(folded(name))?.push(i) ?? byName.set(folded(name), [i]));
    const isPlaced = (/** @type {RegExpMatchArray} */ [, name, words]) => {
      const places = byName.get(folded(name));
      return (
        !places ||
        places.some((i) => ways[i].some((way) => [...wordsOf(words)].every((word) => way.includes(word))))
      );
    };
    return (
      [...wordsOf(text.replace(MARKS, ""))].every(isKnown) && [...text.matchAll(LABELLED)].every(isPlaced)
    );
  };
}

/** How texts write a plain value. @param {any} value @returns {string[]} */
function spellings(value) {
  return isBoolean(value) ? [`${value}`, value ? "yes" : "no"] : [`${value}`];
}

/** @param {any} value */
function keyOf(value) {
  return isString(value) ? `'${value.trim()}` : JSON.stringify(value);
}

/** The words and numbers of a text, each in one spelling. @param {string} text @returns {Set<string>} */
function wordsOf(text) {
  const words =
    text
      .toLowerCase()
      .match(/(?:(?<![\p{L}\p{N}])-)?(?:\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?)|\p{L}+/gu) ?? [];
  return new Set(
    words.map((word) =>
      /^-?(0|[1-9][\d,]{0,14})(\.\d{1,9})?$/.test(word) ? `${Number(word.replaceAll(",", ""))}` : word,
    ),
  );
}

/**
 * What of an error's data its words do not say.
 * @param {any} value @param {string[]} texts the error's words @param {string} [name] of a member
 * @returns {any} undefined where they say everything
 */
export function unsaidOf(value, texts, name = "") {
  if (
    isNothing(value) ||
    (FLAGS.test(name) && isBoolean(value)) ||
    (name === "status" && FAILED.test(string(value)))
  )
    return undefined;
  if (isPlain(value)) {
    const rest = entriesOf(value)
      .map(([key, one]) => [key, unsaidOf(one, texts, key)])
      .filter(([, one]) => one !== undefined);
    return rest.length ? fromEntries(rest) : undefined;
  }
  if (isArray(value)) {
    const rest = value.map((one) => unsaidOf(one, texts)).filter((one) => one ?? false);
    return rest.length ? rest : undefined;
  }
  const words = wordsIn(`${value}`);
  return (isString(value) || words.length > 4) && texts.some((text) => wordsIn(text).includes(words))
    ? undefined
    : value;
}

/** The words of a text between single blanks, for a look whether another text has them. @param {string} text */
function wordsIn(text) {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
}

/**
 * Whether structured content is the result's own items once more, as some servers send them.
 * @param {any} structured @param {any[]} items
 */
export function repeatsItems(structured, items) {
  const { content, isError, ...rest } = plain(structured);
  const blocks =
    isArray(content) && isDefault(rest) ? content : isArray(structured) ? structured : [structured];
  return (
    blocks.length > 0 &&
    blocks.every((block) => isString(plain(block).type) && items.some((item) => covers(item, block)))
  );
}

/** The base64 of pictures that data shows by itself. @param {any} value @param {number} [depth] @returns {string[]} */
export function picturesIn(value, depth = PICTURES_DEPTH) {
  if (isString(value)) return list([pictureIn(value)?.data]).filter(Boolean);
  return depth && isPlain(value) ? valuesOf(value).flatMap((one) => picturesIn(one, depth - 1)) : [];
}
