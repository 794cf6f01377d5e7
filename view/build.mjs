// Builds the scripts and stylesheets of pages and writes them into the core's data folder: runtime, kit, shell and adaptive view, once for each
// combination of what a page needs (any schema or plain ones, a written view or the minimal one), the runtime with what documents need, and
// what pages need that leave the wrapper.
// `--check` only says whether the files are up to date.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { minify } from "terser";
import { withShortFunctions } from "./functions.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const BUILT = path.resolve(here, "../src/genui_core/data/kit");

/** Raised only when the kit changes incompatibly: it is part of every cache key. */
const API_VERSION = 1;

/**
 * Ceilings in bytes. `minified` and `gzip` are of the minimal view of a tool with plain schemas; `schemas` is what script and
 * style of a page have more for any other schema; `written` is of a view that a model wrote, with the guard around it; `largest` is
 * of such a view for any schema, or a document with the kit.
 * `document` is what a document without the kit gets, the runtime and what it does for documents.
 * `standalone` is what a page gets beside its script that leaves the wrapper; no page that hosts read from it has that.
 * `likeness` is what script and style of a page have more whose view draws a thing as people know it: few views do.
 * `chat` is what the script of a page has more that a host reads from the wrapper, for the chat around it.
 * `files` is what the script of a page has more whose tool takes a file.
 * `live` is what the script of a minimal page has more than that of a written view, so that it can show one in the same frame.
 */
export const BUDGET = {
  minified: 170 * 1024,
  gzip: 66 * 1024,
  schemas: 26 * 1024,
  written: 194 * 1024,
  largest: 220 * 1024,
  runtime: 9 * 1024,
  document: 20 * 1024,
  standalone: 4 * 1024,
  likeness: 18 * 1024,
  live: 6 * 1024,
  chat: 8 * 1024,
  files: 6 * 1024,
};

const COMMON = {
  bundle: true,
  write: false,
  minifySyntax: true,
  charset: "ascii",
  legalComments: "none",
  banner: { js: '"use strict";' },
  target: ["es2022", "chrome123", "firefox120", "safari17.5"],
  // All of them have these; esbuild would write such patterns as calls of `RegExp`.
  supported: { "regexp-unicode-property-escapes": true },
  logLevel: "warning",
};

/** Puts the modules of one folder in the place of those of the same name in another. @param {string} name @param {string} from @param {string} to @returns {esbuild.Plugin} */
function replacing(name, from, to) {
  return {
    name,
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path: wanted, resolveDir }) => {
        const within = path.relative(path.join(here, from), path.resolve(resolveDir, wanted));
        const instead = path.join(here, to, within);
        return !within.startsWith("..") && existsSync(instead) ? { path: instead } : undefined;
      });
    },
  };
}

/** What is left draws forms for schemas that `genui_core.domain.pages.plain_schema` calls plain. */
export const PLAIN_FORMS = replacing("plain-forms", "src/kit", "src/plain");

/** What is left has nothing that only documents need. */
export const NO_DOCUMENT = replacing("no-document", "src", "src/no-document");

/** What is left has nothing that only a page with code of a model needs. */
export const NO_MODEL = replacing("no-model", "src", "src/minimal");

/** What terser may assume of a script only where no guard is in it, which must do each step as it is written; `unsafe_math` makes `Number(x)` a sign, and no script here has a BigInt; more passes make such a script shorter, but leave gzip less that is alike. */
const UNGUARDED = { unsafe: true, unsafe_math: true, pure_getters: true, passes: 2 };

/** The kit and what else draws may be shortened as if nothing replaced what the language has built in: beside a guard, only its own steps must stay as they are written. @type {esbuild.Plugin} */
const SHORTENED = {
  name: "shortened",
  setup(build) {
    build.onLoad(
      { filter: /\/src\/(kit|live|plain|shell|likeness|chat|files)\/.*\.js$/ },
      async ({ path: file }) => ({
        contents: (
          await minify(readFileSync(file, "utf8"), {
            module: true,
            ecma: 2020,
            compress: { ...UNGUARDED, passes: 1 },
            mangle: false,
          })
        ).code,
      }),
    );
  },
};

/** @param {string} entry @param {object} [options] */
export async function bundle(entry, options) {
  const built = await esbuild.build({ ...COMMON, ...options, entryPoints: [path.join(here, entry)] });
  // The banner says so already.
  return built.outputFiles[0].text.trim().replace(/^("use strict";\n)"use strict";/, "$1");
}

/** Short names in one fixed order: gzip makes less of them than of names by frequency. */
const LETTERS = [..."netrsolaicdbpfhwuvgymxjkqz"];
/** A short name by its number. @param {number} serial @returns {string} */
function shortName(serial) {
  const more = [...LETTERS, ...LETTERS.map((letter) => letter.toUpperCase())];
  let name = LETTERS[serial % LETTERS.length];
  for (let rest = Math.floor(serial / LETTERS.length); rest > 0; rest = Math.floor(rest / more.length))
    name += more[--rest % more.length];
  return name;
}

/** So many letters are kept for what is inside of functions, which then begin alike: no function of the script has such a name. More of them make a script longer, but leave gzip more that is alike, which counts in a minimal view. */
const INNER = 9;
const INNER_OF_MINIMAL = 8;

/** Names for one script; terser numbers those of the outermost scope first, and those of each other scope from the start. @param {number} inner */
function scopedNames(inner) {
  let last = -1;
  let isOutermost = true;
  return {
    /** @param {number} serial */
    get: (serial) => {
      isOutermost &&= serial > last;
      last = serial;
      return shortName(isOutermost ? serial + inner : serial);
    },
  };
}

/** Members that only the kit's own objects have, and no data, option of a view or host: they get short names. */
export const INTERNAL =
  /^(accepts|amounts|apart|asTable|callTool|cellValues|chars|confirming|depth|describe|heavy|hideLabel|hops|isAbove|isAside|isAsking|isCaption|isDirectory|isDone|isFailed|isGrid|isHeard|isHere|isLine|isNamed|isRaw|isRunning|isSaid|isShare|isShort|issues|keyed|lesser|listed|locate|meant|naming|nearest|nullable|onown|preset|problem|readings|refused|remember|rename|replaced|resolved|retold|runWith|schemaOf|setArguments|setDisplayMode|setOpen|setOver|setRunning|setStoppable|setSummary|showError|snippet|strong|timed|unsure|zoned)$/;

/** A script in few bytes: terser's names compress 5 % better than those of esbuild, and functions at the start of their scope better than scattered or inlined ones. No function expression here is called with `new`, so each may be an arrow function, nothing here replaces what the language has built in, and no getter does more than answer. @param {string} entry @param {"iife" | "esm"} format @param {esbuild.Plugin[]} [plugins] @param {object} [more] options of the compression @param {number} [inner] letters kept for what is inside of functions */
async function script(entry, format, plugins = [], more, inner = INNER) {
  const { code } = await minify(await bundle(entry, { format, plugins: [...plugins, SHORTENED] }), {
    module: format === "esm",
    ecma: 2020,
    compress: {
      passes: 5,
      unsafe_arrows: true,
      keep_fargs: false,
      inline: 1,
      hoist_funs: true,
      lhs_constants: false,
      ...more,
    },
    format: { ascii_only: true, comments: false },
    mangle: {
      nth_identifier: scopedNames(inner),
      properties: { regex: INTERNAL, nth_identifier: { get: shortName } },
    },
  });
  return format === "iife" ? withShortFunctions(code) : code;
}

/** Custom properties that neither teams nor written views are promised: they get names of a letter. */
export const OWN_PROPERTIES = {
  border: "b",
  back: "k",
  cover: "o",
  dash: "a",
  edge: "e",
  "line-2": "l",
  shade: "v",
  shadow: "d",
  tone: "t",
  wash: "w",
};
const OWN_PROPERTY = new RegExp(`--(${Object.keys(OWN_PROPERTIES).join("|")})(?![\\w-])`, "g");

/** Lengths that have a name in the sources, and are promised to no one either: they are shorter than their names. */
export const LENGTHS = Object.fromEntries(
  [...readFileSync(path.join(here, "src/style/tokens.css"), "utf8").matchAll(/--([a-z]+): (\d+px);/g)].map(
    ([, name, length]) => [name, length],
  ),
);
const LENGTH = RegExp(
  `--(?:${Object.keys(LENGTHS).join("|")}):[^;]+;|var\\(--(${Object.keys(LENGTHS).join("|")})\\)`,
  "g",
);

/** A stylesheet in few bytes: esbuild leaves blanks in values of custom properties, behind commas of fallbacks, inside parentheses, around slashes and in container queries; no text of a sheet has these. @param {string} entry */
async function sheet(entry) {
  const text = (await bundle(entry, { minify: true }))
    .replace(LENGTH, (_, name) => (name ? LENGTHS[name] : ""))
    .replace(OWN_PROPERTY, (_, name) => `--${OWN_PROPERTIES[name]}`);
  return text
    .replace(/(--[\w-]+): ([^;}]+)/g, (_, name, value) => `${name}:${value.trim()}`)
    .replace(/, | \/ |\( | \)|(?<=@container [^:{]+:) /g, (blank) => blank.trim());
}

/** @typedef {Record<"written" | "plainWritten" | "minimal" | "plainMinimal" | "live" | "plainLive" | "style" | "schemaStyle" | "writtenStyle" | "likenessStyle" | "likeness" | "chat" | "files" | "runtime" | "document" | "standalone", string>} Texts minified */

/** @returns {Promise<Texts>} */
export async function buildTexts() {
  const texts = {
    written: await script("src/index.js", "iife"),
    plainWritten: await script("src/index-fragment.js", "iife", [PLAIN_FORMS, NO_DOCUMENT]),
    minimal: await script(
      "src/index-minimal.js",
      "iife",
      [NO_DOCUMENT, NO_MODEL],
      UNGUARDED,
      INNER_OF_MINIMAL,
    ),
    plainMinimal: await script(
      "src/index-minimal.js",
      "iife",
      [PLAIN_FORMS, NO_DOCUMENT, NO_MODEL],
      UNGUARDED,
      INNER_OF_MINIMAL,
    ),
    live: await script("src/index-live.js", "iife", [NO_DOCUMENT]),
    plainLive: await script("src/index-live.js", "iife", [PLAIN_FORMS, NO_DOCUMENT]),
    runtime: await script("src/runtime/index.js", "esm"),
    document: await script("src/index-document.js", "iife", [], { hoist_funs: false }, 0),
    standalone: await script("src/index-standalone.js", "iife"),
    likeness: await script("src/likeness/index.js", "iife"),
    files: await script("src/files/index.js", "iife", [], UNGUARDED),
    chat: await script("src/chat/index.js", "iife", [], UNGUARDED),
    style: await sheet("src/style/view.css"),
    schemaStyle: await sheet("src/style/structures.css"),
    writtenStyle: await sheet("src/style/written.css"),
    likenessStyle: await sheet("src/style/likeness.css"),
  };
  for (const [name, text] of Object.entries(texts)) refuseUnsafe(name, text);
  return texts;
}

/** The texts, kept beside the packages of this folder until a source, this file or a package changes. @returns {Promise<Texts>} */
export async function keptTexts() {
  const sources = readdirSync(path.join(here, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.\w+$/.test(file))
    .map((file) => path.join(here, "src", file));
  const hash = createHash("sha256").update(process.version);
  const others = ["build.mjs", "functions.mjs", "package-lock.json"].map((name) => path.join(here, name));
  for (const file of [...sources.sort(), ...others])
    hash.update(`\0${path.relative(here, file)}\0`).update(readFileSync(file));
  const kept = path.join(here, "node_modules/.cache/kit", `${hash.digest("hex")}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8"));
  const texts = await buildTexts();
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(texts));
  renameSync(`${kept}.${process.pid}`, kept); // other runs see all of it or nothing
  return texts;
}

/** What would end the inline element early, or depend on the page's encoding. */
function refuseUnsafe(name, text) {
  if (/<\/(script|style)|<!--/i.test(text))
    throw new Error(`The ${name} contains a tag that would end its element`);
  if (/[^\x00-\x7f]/.test(text)) throw new Error(`The ${name} is not pure ASCII`);
}

/** The files that hold them, by their names; `build.json`, which names the build, is the last. @param {Texts} texts */
export function dataFiles({ runtime, ...texts }) {
  const build = createHash("sha256").update(Object.values(texts).join("")).digest("hex").slice(0, 12);
  return {
    "plain-minimal.js": texts.plainMinimal,
    "minimal.js": texts.minimal,
    "plain-written.js": texts.plainWritten,
    "written.js": texts.written,
    "plain-live.js": texts.plainLive,
    "live.js": texts.live,
    "document.js": texts.document,
    "standalone.js": texts.standalone,
    "view.css": texts.style,
    "schemas.css": texts.schemaStyle,
    "written.css": texts.writtenStyle,
    "likeness.js": texts.likeness,
    "chat.js": texts.chat,
    "files.js": texts.files,
    "likeness.css": texts.likenessStyle,
    "build.json": `${JSON.stringify({ apiVersion: API_VERSION, build })}\n`,
  };
}

/** A text as the wrapper serves it. @param {string} file that holds it, as "written.js" */
export function builtText(file) {
  return readFileSync(path.join(BUILT, file), "utf8");
}

/** @param {Texts} texts */
export function sizes({
  written,
  plainWritten,
  minimal,
  plainMinimal,
  style,
  schemaStyle,
  writtenStyle,
  likeness,
  likenessStyle,
  chat,
  files,
  plainLive,
  runtime,
  document,
  standalone,
}) {
  return {
    minified: plainMinimal.length + style.length,
    gzip: gzipSync(style + plainMinimal, { level: 9 }).length,
    schemas: minimal.length - plainMinimal.length + schemaStyle.length,
    written: plainWritten.length + style.length + writtenStyle.length,
    largest: written.length + style.length + schemaStyle.length + writtenStyle.length,
    runtime: runtime.length,
    document: document.length,
    standalone: standalone.length,
    likeness: likeness.length + likenessStyle.length,
    chat: chat.length,
    files: files.length,
    live: plainLive.length - plainWritten.length,
  };
}

async function main() {
  const texts = await buildTexts();
  const files = Object.entries(dataFiles(texts));
  for (const [name, size] of Object.entries(sizes(texts)))
    console.log(`${name}: ${size} bytes of ${BUDGET[name]}`);
  if (process.argv.includes("--check"))
    process.exit(files.filter(([name, text]) => !isCurrent(name, text)).length);
  mkdirSync(BUILT, { recursive: true });
  for (const [name, text] of files) writeFileSync(path.join(BUILT, name), text);
}

/** @param {string} name of a file @param {string} text */
function isCurrent(name, text) {
  let committed = "";
  try {
    committed = builtText(name);
  } catch {
    // Missing counts as stale.
  }
  if (committed !== text) console.error(`${name} is stale: run "npm run build" in view/`);
  return committed === text;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
