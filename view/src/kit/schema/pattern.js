import { attempt, isString } from "../plain.js";
// A matcher for schemas' patterns which cannot freeze the page: it follows all ways through the
// pattern at once, so its work grows with the text times itself at worst, never exponentially.

/** Longer patterns are left to the server, in UTF-16 units. */
const MAX_PATTERN = 2000;
/** Places at which parts of a pattern are tried, by all ways together, before a text is left to the server. */
const MAX_STEPS = 5e5;

const TOKEN =
  /\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<(?![=!])[^>]*>))?|(?:[*+?]|\{\d+,?\d*\})\??|./gisu;

/**
 * @typedef {{ chars: string[], left: number }} Run a text on its way through a pattern
 * @typedef {(from: Set<number>, run: Run) => Set<number>} Step from where to where a part of a pattern gets in a text
 */

/**
 * Whether a text matches a pattern as JSON Schema means it: anywhere, in Unicode mode.
 * @param {string} text @param {unknown} pattern
 * @returns {boolean | undefined} undefined when only the server can tell: for back-references,
 *   looking behind, and patterns or texts that take too long
 */
export function matches(text, pattern) {
  const step = compile(pattern);
  const chars = [...text];
  return attempt(
    () => step && step(new Set([...chars.keys(), chars.length]), { chars, left: MAX_STEPS }).size > 0,
  );
}

/** @param {unknown} pattern @returns {Step | undefined} undefined when there is none that can run here */
export function compile(pattern) {
  return isString(pattern) && pattern.length <= MAX_PATTERN
    ? attempt(() => RegExp(pattern, "u") && parse(pattern.match(TOKEN) ?? []))
    : undefined;
}

/** @param {string[]} tokens @returns {Step} */
function parse(tokens) {
  let at = 0;
  /** @returns {Step} */
  const either = () => {
    const ways = [sequence()];
    while (tokens[at] === "|") ways.push((at++, sequence()));
    return (from, run) => new Set(ways.flatMap((way) => [...way(from, run)]));
  };
  /** @returns {Step} */
  const sequence = () => {
    /** @type {Step[]} */
    const steps = [];
    while (at < tokens.length && !/^[|)]$/.test(tokens[at])) steps.push(repeated(one()));
    return (from, run) => steps.reduce((here, step) => step(here, run), from);
  };
  /** @param {Step} step */
  const repeated = (step) => {
    const [, sign, low, comma, high] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/.exec(tokens[at] ?? "") ?? [];
    if (!sign && !low) return step;
    at++;
    return repeat(
      step,
      sign ? Number(sign === "+") : Number(low),
      sign ? (sign === "?" ? 1 : Infinity) : comma ? Number(high || Infinity) : Number(low),
    );
  };
  /** @returns {Step} */
  const one = () => {
    const token = tokens[at++];
    if (token[0] !== "(") return counted(single(token));
    const inner = counted(either());
    at++;
    return /[=!]$/.test(token)
      ? where((i, run) => inner(new Set([i]), run).size > 0 === (token === "(?="))
      : inner;
  };
  return either();
}

/** The same, as long as the text is not left to the server. A place costs also where nothing is read. @param {Step} step @returns {Step} */
function counted(step) {
  return (from, run) => {
    run.left -= from.size + 1;
    if (run.left < 0) throw Error();
    return step(from, run);
  };
}

/** What takes no room. @param {(at: number, run: Run) => boolean} holds @returns {Step} */
function where(holds) {
  return (from, run) => new Set([...from].filter((at) => holds(at, run)));
}

/** One character, or an edge. @param {string} token @returns {Step} */
function single(token) {
  if (/^(\\[1-9k]|[*+?{]|\\ud[89a-f])/i.test(token)) throw Error(token);
  const isWord = (/** @type {string | undefined} */ char) => /^\w$/.test(char ?? "");
  if (token === "^") return where((at) => !at);
  if (token === "$") return where((at, { chars }) => at === chars.length);
  if (/^\\b$/i.test(token))
    return where((at, { chars }) => (isWord(chars[at - 1]) !== isWord(chars[at])) === (token === "\\b"));
  const fits = RegExp(`^${token}$`, "u");
  return (from, { chars }) =>
    new Set([...from].flatMap((at) => (at < chars.length && fits.test(chars[at]) ? [at + 1] : [])));
}

/** @param {Step} step @param {number} least @param {number} most @returns {Step} */
function repeat(step, least, most) {
  return (from, run) => {
    const reached = new Set(least ? [] : from);
    for (let here = from, count = 1; here.size && count <= most; count++) {
      here = step(here, run);
      if (count < least) continue;
      here = new Set([...here].filter((at) => !reached.has(at)));
      for (const at of here) reached.add(at);
    }
    return reached;
  };
}
