/** An expression as mathematics is set, typed as in a program or in LaTeX. */
/** @import { Ui } from "./things.js" */

/** More than can be set, and a number with more digits than a line has. */
const LONG = /.{301}|\d{24}/s;
const DEEPEST = 40;
/** In LaTeX, commands that only move what follows count as space. */
const TOKEN =
  /(?:\s|\\(?:\W|left\b|right\b))*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\*\*|[<>!=]=|[-+*/^(){},=<>%!\u00d7\u00b7\u00f7\u2212\u2248\u2264\u2265]|_(?=\{))|\\?(\p{L}(?:[\p{L}\p{N}]|_(?!\{))*|_\w+))/iuy;
/** Operators; a later group binds more strongly. */
const BINDS = ["=<>\u2260\u2248\u2264\u2265", "+\u2212", "\u00d7\u00b7/%", "", "**^", "_"];
/** What is set for what is typed. @type {Record<string, string>} */
const SIGNS = {
  "*": "\u00d7",
  "\u00f7": "/",
  "-": "\u2212",
  "<=": "\u2264",
  ">=": "\u2265",
  "==": "=",
  "!=": "\u2260",
  pi: "\u03c0",
  alpha: "\u03b1",
  beta: "\u03b2",
  theta: "\u03b8",
  infinity: "\u221e",
  infty: "\u221e",
  int: "\u222b",
  sum: "\u2211",
  cdot: "\u00b7",
  times: "\u00d7",
};

/** What a term begins with. */
const TERM = /^[\d({\p{L}_\u221e\u222b\u2211]/u;

/** @param {Ui} ui @param {any} given an expression as `sqrt(2)*10^3 = 1414.21` or `\\frac{1}{2}x^{2}`; what cannot be read stays as it is */
export function formula(ui, given) {
  const text = `${given ?? ""}`;
  const node = !LONG.test(text) && read(text);
  return ui.el(
    "div.formula",
    { role: "math", "aria-label": text },
    node ? math("math", node) : ui.el("code", text),
  );
}

/** @param {string} tag @param {...(Node | string)} children @returns {Element} */
function math(tag, ...children) {
  const node = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  node.append(...children);
  return node;
}

/** @typedef {{ node: Element, inner: Element }} Term `inner`: without the brackets around it */

/** @param {string} text @returns {Element | undefined} */
function read(text) {
  const tokens = tokensOf(text);
  const isLatex = text.includes("\\");
  let at = 0;
  let depth = 0;
  /** @returns {never} */
  const stop = () => {
    throw new Error("unreadable");
  };
  const sign = (/** @type {string} */ one) => math("mo", one);
  const row = (/** @type {Element[]} */ ...parts) => math("mrow", ...parts);
  /** @returns {Term} */
  const single = () => {
    const token = tokens[at++];
    if (++depth > DEEPEST || token === undefined) return stop();
    let term;
    if (/^[+\u2212]$/.test(token)) term = alone(row(sign(token), expression(4).node));
    else if (token === "(") term = bracketed(closed());
    else if (token === "{") term = alone(closed("}"));
    else if (/^\d/.test(token)) term = alone(math("mn", token));
    else if (TERM.test(token)) term = /^[({]/.test(tokens[at]) ? called(token) : alone(math("mi", token));
    else return stop();
    while (tokens[at] === "!") {
      at++;
      term = alone(row(term.node, sign("!")));
    }
    depth--;
    return term;
  };
  const called = (/** @type {string} */ name) => {
    if (tokens[at] === "{" && !/sqrt|frac/.test(name)) return stop();
    const inner = closed(tokens[at++] === "{" ? "}" : ")");
    if (name === "frac" && tokens[at++] === "{") return alone(math("mfrac", inner, closed("}")));
    return alone(
      name === "sqrt"
        ? math("msqrt", inner)
        : name === "cbrt"
          ? math("mroot", inner, math("mn", "3"))
          : row(math("mi", name), bracketed(inner).node),
    );
  };
  /** What stands up to the bracket that closes. */
  const closed = (bracket = ")") => {
    const parts = [expression(0).node];
    while (tokens[at] === ",") {
      at++;
      parts.push(sign(","), expression(0).node);
    }
    if (tokens[at++] !== bracket) return stop();
    return row(...parts);
  };
  const bracketed = (/** @type {Element} */ inner) => ({
    node: row(sign("("), /** @type {Element} */ (inner.cloneNode(true)), sign(")")),
    inner,
  });
  const alone = (/** @type {Element} */ node) => ({ node, inner: node });
  /** @param {number} least @returns {Term} */
  const expression = (least) => {
    let left = single();
    for (;;) {
      const operator = tokens[at];
      const strength = BINDS.findIndex((some) => some.includes(operator)) + 1;
      const isBeside = isLatex && !strength && TERM.test(operator ?? "");
      const binds = isBeside ? 4 : strength;
      if (!binds || (binds <= least && !(binds === 5 && least === 5))) return left;
      if (!isBeside) at++;
      const right = expression(binds === 5 ? 4 : binds);
      left = alone(isBeside ? row(left.node, right.node) : joined(operator, left, right));
    }
  };
  /** @param {string} operator @param {Term} left @param {Term} right */
  const joined = (operator, left, right) =>
    "**^_".includes(operator)
      ? math(operator === "_" ? "msub" : "msup", left.node, right.inner)
      : operator === "/"
        ? math("mfrac", left.inner, right.inner)
        : row(left.node, sign(operator), right.node);
  try {
    const { node } = expression(0);
    return at === tokens.length ? node : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} text @returns {string[]} none where a sign is unknown */
function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trim();
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed);
    if (!found) return [];
    const [, sign, name] = found;
    // In LaTeX, letters side by side are so many names: only a command is one of several letters.
    const parts =
      name && trimmed.includes("\\") && !found[0].includes(`\\${name}`) ? [...name] : [sign ?? name];
    tokens.push(...parts.map((one) => SIGNS[one] ?? one));
  }
  TOKEN.lastIndex = 0;
  return tokens;
}
