// JSON as coloured text. Every piece goes in as text.

import { el } from "./dom.js";

const LONGEST_COLOURED = 60_000;
const LONGEST_SHOWN = 400_000;
const PIECE = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A block with `value` as indented JSON; very large values are cut, and say so. */
export function jsonBlock(value, label) {
  const text = JSON.stringify(value, null, 2) ?? "undefined";
  const block = el("pre", { class: "json", tabindex: "0", role: "region", "aria-label": label });
  if (text.length > LONGEST_COLOURED) block.append(text.slice(0, LONGEST_SHOWN));
  else block.append(...coloured(text));
  if (text.length > LONGEST_SHOWN) {
    block.append(
      el(
        "span",
        { class: "cut" },
        `\n… ${(text.length - LONGEST_SHOWN).toLocaleString()} more characters; copy has them all`,
      ),
    );
  }
  return block;
}

function* coloured(text) {
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    if (match.index > end) yield text.slice(end, match.index);
    yield el("span", { class: look(match) }, match[1] ?? match[0]);
    if (match[2]) yield match[2];
    end = match.index + match[0].length;
  }
  yield text.slice(end);
}

function look([piece, string, colon]) {
  if (colon) return "json-key";
  if (string) return "json-string";
  return /^[tfn]/.test(piece) ? "json-word" : "json-number";
}
