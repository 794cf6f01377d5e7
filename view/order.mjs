// Looks for the order of the functions of the minimal view in which it compresses best, and writes their names into `order.json`. The build
// puts functions in that order: it changes nothing but the size, so that a list that is out of date does no harm. Takes some minutes:
// `node view/order.mjs [STEPS]`.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { minify } from "terser";
import { bundle, inOrder, MINIFIED, ORDER, PLAIN_FORMS, sheet } from "./build.mjs";

const FUNCTION = /^ {2}(?:async )?function\*? \w+\([^]*?^ {2}}\n/gm;

const source = inOrder(await bundle("src/index-minimal.js", { format: "iife", plugins: [PLAIN_FORMS] }));
const style = await sheet("src/style/view.css");

/** The script, in readable lines or as it is served. @param {object} options */
async function printed(options) {
  const { code } = await minify(source, { ...MINIFIED, ...options });
  return code;
}

const readable = await printed({ mangle: false, format: { ...MINIFIED.format, beautify: true, indent_level: 2 } });
const names = [...readable.matchAll(/^ {2}(?:async )?function\*? (\w+)\(/gm)].map(([, name]) => name);
const served = await printed({ format: { ...MINIFIED.format, beautify: true, indent_level: 2 } });
const pieces = served.match(FUNCTION) ?? [];
if (names.length !== pieces.length) throw new Error(`${names.length} names, ${pieces.length} functions`);
const texts = await Promise.all(pieces.map(async (piece) => (await minify(piece, { compress: false, mangle: false, format: MINIFIED.format, ecma: 2020 })).code));
const rest = (await printed({})).replace(texts.join(""), "\0").split("\0");
if (rest.length !== 2) throw new Error("The functions are not in one place");

const sizeOf = (/** @type {number[]} */ order) => gzipSync(style + rest[0] + order.map((i) => texts[i]).join("") + rest[1], { level: 9 }).length;
let best = texts.map((_, i) => i);
let size = sizeOf(best);
let seed = 7;
const random = (/** @type {number} */ below) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
console.log(`${texts.length} functions, ${size} bytes`);
for (let step = Number(process.argv[2] ?? 3000); step > 0; step--) {
  const order = [...best];
  const moved = order.splice(random(order.length), 1 + random(3) * random(3));
  order.splice(random(order.length + 1), 0, ...moved);
  const now = sizeOf(order);
  if (now <= size) [best, size] = [order, now];
}
console.log(`${size} bytes`);
writeFileSync(ORDER, `${JSON.stringify(best.map((i) => names[i]), null, 0).replace(/(.{1,130}),/g, "$1,\n")}\n`);
