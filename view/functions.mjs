// Rewrites the functions of a script that terser made, so that the script takes fewer bytes and gzip finds more in it that is alike.
import { minify } from "terser";

const AS_IT_IS = { compress: false, mangle: false };
/** The variable that stands for `undefined`: no name that terser gives. */
const NOTHING = "$";
/**
 * Functions of so many letters become arrow functions. Browsers read the inside of a function that is declared when it is first called, but
 * that of an arrow function in a function at once: long ones would delay the first picture.
 */
const SHORT = 120;
/** So many letters in a row count as alike, as far as gzip looks back for them. */
const PIECE = 7;
const WINDOW = 28 * 1024;
/** Short functions are not preferred only because they have few pieces. */
const SMALL = 30;
/** A function is tried behind so many of those that it has most in common with. */
const PLACES = 4;
/** How far deflate looks back, how long a match is at most, how many places are looked at for one, and from what length on no longer one is looked for. */
const [REACH, LONGEST, LOOKS, ENOUGH] = [32 * 1024, 258, 100, 32];

/** @param {any} body of a program @returns {Promise<string>} */
async function print(body) {
  const options = { ...AS_IT_IS, ecma: 2020, parse: { spidermonkey: true } };
  const { code } = await minify(
    { type: "Program", body },
    { ...options, format: { ascii_only: true, comments: false } },
  );
  return code;
}

/**
 * Writes short functions in the outermost scope of a script as arrow functions, which take fewer bytes, puts functions beside each
 * other that are alike, and writes `undefined` as a variable without a value. All of them stay before all other code, as
 * declarations are. None of them is a constructor.
 * @param {string} code of one function that is called at once
 * @param {boolean} [isMeasured] whether its size in gzip counts: the order is then improved as long as an estimate of that falls
 */
export async function withShortFunctions(code, isMeasured = false) {
  const { ast } = await minify(code, { ...AS_IT_IS, format: { spidermonkey: true, code: false } });
  const scope = ast.body.at(-1).expression.callee.body;
  for (const node of nodesOf(ast)) {
    if (node.name === NOTHING) throw new Error(`The script has a variable ${NOTHING} already`);
    if (node.operator === "void" && node.argument.value === 0)
      Object.assign(node, { type: "Identifier", name: NOTHING });
  }
  const others = scope.body.filter(({ type }) => type !== "FunctionDeclaration");
  const functions = scope.body.filter(({ type }) => type === "FunctionDeclaration");
  const texts = await Promise.all(functions.map((each) => print([each])));
  const isShort = (/** @type {any} */ each, /** @type {number} */ i) =>
    texts[i].length <= SHORT && isExpression(each);
  const long = functions.filter((each, i) => !isShort(each, i));
  const nothing = { type: "VariableDeclarator", id: { type: "Identifier", name: NOTHING }, init: null };
  const arrows = await ordered(
    functions.filter(isShort).map(asArrow),
    ({ init }) => statement(init),
    isMeasured,
  );
  scope.body = [
    ...(await ordered(long, (each) => each, isMeasured)),
    variables([nothing, ...arrows]),
    ...others,
  ];
  return print(ast.body);
}

/** @param {object[]} declarations */
function variables(declarations) {
  return { type: "VariableDeclaration", kind: "var", declarations };
}

/** All nodes of a syntax tree, with the node itself. @param {any} node @returns {Generator<any>} */
function* nodesOf(node) {
  if (typeof node?.type === "string") yield node;
  for (const inner of Object.values(node ?? {})) if (typeof inner === "object") yield* nodesOf(inner);
}

/** Whether a function only returns a value, and an arrow function does what it does. @param {any} node */
function isExpression({ generator, params, body }) {
  const [first, more] = body.body;
  if (generator || more || first?.type !== "ReturnStatement" || !first.argument) return false;
  for (const { type, name } of nodesOf([params, body]))
    if (type === "ThisExpression" || type === "MetaProperty" || name === "arguments") return false;
  return true;
}

/** @param {any} declared a function that only returns a value */
function asArrow({ id, params, body, async }) {
  const init = {
    type: "ArrowFunctionExpression",
    params,
    async,
    body: body.body[0].argument,
    expression: true,
  };
  return { type: "VariableDeclarator", id, init };
}

/**
 * Each function behind those that it has most in common with; what few of them have counts more.
 * @template T
 * @param {T[]} functions @param {(each: T) => object} printable what of it is compared @param {boolean} isMeasured
 * @returns {Promise<T[]>}
 */
async function ordered(functions, printable, isMeasured) {
  /** Every piece by its number. @type {Map<string, number>} */
  const known = new Map();
  /** How many functions have each piece, and where it ended last. @type {number[]} */
  const [counts, ends] = [[], []];
  const numberOf = (/** @type {string} */ piece) => {
    const number = known.get(piece) ?? known.size;
    known.set(piece, number);
    counts[number] = (counts[number] ?? 0) + 1;
    ends[number] = -WINDOW;
    return number;
  };
  const texts = await Promise.all(functions.map((one) => print([printable(one)])));
  const left = new Set(
    texts.map((text, i) => ({ one: functions[i], text, pieces: piecesOf(text).map(numberOf) })),
  );
  /** @type {{ one: T, text: string, pieces: number[] }[]} */
  const order = [];
  let end = 0;
  const likeness = (/** @type {number[]} */ pieces) => {
    let shared = 0;
    for (const piece of pieces) if (end - ends[piece] < WINDOW) shared += 1 / counts[piece];
    return shared / Math.sqrt(pieces.length + SMALL);
  };
  while (left.size) {
    const ranked = [...left].map((each) => ({ each, rank: likeness(each.pieces) }));
    const { each } = ranked.reduce((best, other) => (other.rank > best.rank ? other : best));
    left.delete(each);
    order.push(each);
    end += each.pieces.length + PIECE;
    for (const piece of each.pieces) ends[piece] = end;
  }
  return (isMeasured ? improved(order, counts) : order).map(({ one }) => one);
}

/**
 * An order in which the texts take fewer bits: each of them, the longest first, moves behind one that it has much in common
 * with where that makes all of them shorter.
 * @template {{ text: string, pieces: number[] }} T
 * @param {T[]} order @param {number[]} counts how many functions have each piece
 * @returns {T[]}
 */
function improved(order, counts) {
  let fewest = Infinity;
  const tryOut = (/** @type {T[]} */ other) => {
    const bits = bitsOf(other.map(({ text }) => text).join(""));
    if (bits < fewest) [order, fewest] = [other, bits];
  };
  tryOut(order);
  for (const each of order.toSorted((a, b) => b.text.length - a.text.length)) {
    const own = new Set(each.pieces);
    const others = order.filter((other) => other !== each);
    const shared = new Map(
      others.map((other) => {
        const sum = other.pieces.reduce((all, piece) => all + (own.has(piece) ? 1 / counts[piece] : 0), 0);
        return [other, sum / Math.sqrt(other.pieces.length + SMALL)];
      }),
    );
    const nearest = others.toSorted((a, b) => shared.get(b) - shared.get(a)).slice(0, PLACES);
    for (const before of nearest) tryOut(others.toSpliced(others.indexOf(before) + 1, 0, each));
  }
  return order;
}

/** About how many bits deflate needs; unlike the size that zlib makes, it is the same on every machine. @param {string} text in ASCII */
function bitsOf(text) {
  const letters = Buffer.from(text, "latin1");
  const last = new Int32Array(1 << 16).fill(-REACH);
  const before = new Int32Array(letters.length);
  let bits = 0;
  let end = 0;
  // A match waits for the next letter: where a longer one begins there, its first letter stands alone.
  let [length, distance] = [0, 0];
  for (let at = 0; at < letters.length; at++) {
    const hash = Math.imul((letters[at] << 16) | (letters[at + 1] << 8) | letters[at + 2], 0x9e3779b1) >>> 16;
    if (at >= end) {
      let longest = length < ENOUGH ? Math.max(length, 2) : LONGEST;
      let found = 0;
      for (let from = last[hash], looks = LOOKS; at - from < REACH && from >= 0 && looks; looks--) {
        if (letters[from + longest] === letters[at + longest]) {
          let same = 0;
          while (same < LONGEST && at + same < letters.length && letters[from + same] === letters[at + same])
            same++;
          // Three letters from far away are no gain.
          if (same > longest && (same > 3 || at - from <= 4096)) [longest, found] = [same, at - from];
        }
        from = before[from];
      }
      // A letter takes about 6 bits, a match about 10, and those that tell its length and distance exactly.
      if (found || !length) bits += found && !length ? 0 : 6;
      else bits += 10 + Math.max(0, 30 - Math.clz32(distance)) + Math.max(0, 29 - Math.clz32(length));
      end = found || !length ? at + 1 : at - 1 + length;
      [length, distance] = found ? [longest, found] : [0, 0];
    }
    before[at] = last[hash];
    last[hash] = at;
  }
  return bits;
}

/** @param {object} expression */
function statement(expression) {
  return { type: "ExpressionStatement", expression };
}

/** What a text has so many letters in a row of, each once. @param {string} text */
function piecesOf(text) {
  const starts = Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, start) => start);
  return [...new Set(starts.map((start) => text.slice(start, start + PIECE)))];
}
