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
 */
export async function withShortFunctions(code) {
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
  const arrows = await ordered(functions.filter(isShort).map(asArrow), ({ init }) => statement(init));
  scope.body = [...(await ordered(long, (each) => each)), variables([nothing, ...arrows]), ...others];
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
 * @param {T[]} functions @param {(each: T) => object} printable what of it is compared
 * @returns {Promise<T[]>}
 */
async function ordered(functions, printable) {
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
  const left = new Set(texts.map((text, i) => ({ one: functions[i], pieces: piecesOf(text).map(numberOf) })));
  /** @type {T[]} */
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
    order.push(each.one);
    end += each.pieces.length + PIECE;
    for (const piece of each.pieces) ends[piece] = end;
  }
  return order;
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
