import { el } from "../../el.js";
import { eitherOf, isString } from "../../plain.js";
import { linkButton } from "../cell.js";
import { image } from "../media.js";
import { pictureIn } from "../recognise/picture.js";
import { wrappedEnds } from "./wrapped.js";
/** @import { Show } from "../show.js" */
/** @typedef {(Node | string)[]} Nodes */

/** An address of the web, without the signs that end the sentence around it. */
const ADDRESS =
  /((?:https?:\/\/|mailto:)[^\s<>`"\u3000-\u303f\uff01-\uff5e]*[^\s<>`"\u3000-\u303f\uff01-\uff5e.,:;!?')\]}*_~|])/;

/** A call of a function as programs write it: without arguments, or with an object or texts. */
const CALL = /((?<![\w.`'"$-])[a-z_$][\w$.]*\((?:\{[^\n]{0,200}?\}|["'][^\n()]{0,100}["'])?\))/i;

/** Plain words apart from their code: what stands between backticks, and calls. */
const CODE = RegExp(`\`([^\`\n]{1,80})\`|${CALL.source}`, "i");

/** Inside marks, code and escapes count as one. The length has a bound, so that marks which nothing closes cost little. */
const INNER = "((?:`[^`]{0,60}`|\\\\[^]|[^`\\\\]){1,400}?)";

/** What means something inside a line. Marks inside words are text. */
const TOKEN = eitherOf(
  [
    /\\([\n!-/:-@[-`{-~])/,
    "(?<!`)(`{1,3})(?!`)([^]{0,300}?[^`])\\2(?!`)",
    /(!?)\[((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,300})\]\(<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"\n]*")?\)/,
    `(?<![\\w*_~])(\\*{2,3}|__|~~)(?=\\S)${INNER}(?<=\\S)\\7(?![\\w*_~])`,
    `(?<![\\w*_])([*_])(?![\\s*_])${INNER}(?<![\\s*_])\\9(?![\\w*_])`,
    `<?${ADDRESS.source}>?`,
    "<br ?/?>",
    CALL,
    "\\n[ \\t]*",
  ],
  "gi",
);

/**
 * The formatted words of a paragraph, a heading or a cell. Markup in them stays text.
 * @param {string} text
 * @param {Show} show
 * @returns {Nodes}
 */
export function inline(text, show) {
  /** @type {Nodes} */
  const nodes = [];
  const add = (/** @type {Node | string} */ node) => {
    const last = nodes.length - 1;
    if (isString(node) && isString(nodes[last])) nodes[last] += node;
    else nodes.push(node);
  };
  /** @type {Set<number> | undefined} */
  let wrapped;
  let done = 0;
  for (const found of text.matchAll(TOKEN)) {
    const { index } = found;
    add(text.slice(done, index));
    if (found[0][0] === "\n")
      lineEnd(found[0].slice(1), (wrapped ??= wrappedEnds(text)).has(index)).forEach(add);
    else nodesOf(found, show).forEach(add);
    done = index + found[0].length;
  }
  add(text.slice(done));
  return nodes;
}

/** Plain words, with the addresses in them as links, and code as code. @param {string} text @param {Show} show @returns {Nodes} */
export function withLinks(text, show) {
  return text.split(ADDRESS).flatMap((one, i) =>
    i % 2
      ? [linkButton(one, one, show)]
      : one
          .split(CODE)
          .map((each, j) => (j % 3 ? each && codeOf(each) : each))
          .filter(Boolean),
  );
}

/** Words that may go on in another line at each of these places. @param {string} words @param {RegExp} places */
export function breakable(words, places) {
  return words.split(places).flatMap((one, i) => [i > 0 && el("wbr"), one]);
}

/** Code that may end a line behind a sign that joins its words. @param {string} words */
function codeOf(words) {
  return el("code", breakable(words, /(?<=[\w"'][_./:({,]+)(?=[\w"'])/));
}

/** The end of a line, and the blanks at the beginning of the next. @param {string} indent @param {boolean} isWrapped @returns {Nodes} */
function lineEnd(indent, isWrapped) {
  if (isWrapped) return ["\n"];
  return indent ? [el("br"), "\n", el("span.indent", indent)] : [el("br"), "\n"];
}

/** @param {RegExpMatchArray} found @param {Show} show @returns {Nodes} */
function nodesOf(
  [source, escaped, , code, bang, label, target, run, words, , emphasised, address, call],
  show,
) {
  if (/^<br/i.test(source)) return [el("br")];
  if (escaped) return [escaped === "\n" ? el("br") : escaped];
  if (code || call) return [codeOf(call || code.trim())];
  if (address) return [linkButton(address, address, show)];
  if (label !== undefined) return linked(inline(label, show), target, bang, show);
  if (run === "__" && /^[a-z\d_]+$/.test(words)) return [source];
  const inner = inline(words ?? emphasised, show);
  return [
    run === "~~"
      ? el("s", inner)
      : run === "**" || run === "__"
        ? el("strong", inner)
        : el("em", run ? el("strong", inner) : inner),
  ];
}

/**
 * Words that lead to an address, or an image that the text itself holds: nothing is loaded. An
 * address that may not be opened stands beside its words.
 * @param {Nodes} words @param {string} url @param {string} bang of an image @param {Show} show @returns {Nodes}
 */
function linked(words, url, bang, show) {
  const picture = bang && pictureIn(url);
  const text = el("p", words).textContent ?? "";
  if (picture) return [image({ ...picture, alt: text }, show, true)];
  return [/^(https?:\/\/|mailto:)/i.test(url) ? linkButton(url, text || url, show) : `${text} (${url})`];
}
