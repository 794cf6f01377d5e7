import { fromEntries, lastOf } from "../../plain.js";
/** @import { Found } from "./read.js" */

/** A commit as Git prints it: its hash, lines of names and values, and its message, indented or quoted behind a name. */
const COMMIT =
  /^commit:? ['"]?([\da-f]{7,64})['"]?.*\n((?:[A-Z]\w+: .*(?:\n|$))+)\n?((?: {4}.*(?:\n|$)|\n(?= {4}))*)/gim;

/** Commits as Git prints them, and the text around them. @param {string} text @returns {Found | undefined} */
export function commitsIn(text) {
  const found = [...text.matchAll(COMMIT)];
  if (!found.length || text.slice(0, found[0].index).trim().includes("\n")) return undefined;
  const rows = found.map(([, commit, head, words]) => {
    const members = fromEntries(
      head
        .trim()
        .split("\n")
        .map((line) => line.split(/: +(.*)/).slice(0, 2)),
    );
    const [message, ...body] = (words.replace(/^ {4}/gm, "").trim() || unquoted(members.Message ?? "")).split(
      "\n",
    );
    return { ...members, Message: message, ...(body.length && { body: body.join("\n").trim() }), commit };
  });
  const last = lastOf(found);
  return [
    text.slice(0, found[0].index),
    { kind: "data", value: rows },
    text.slice(last.index + last[0].length),
  ];
}

/** @param {string} text */
function unquoted(text) {
  return text.replace(/^(['"])(.*)\1$/, "$2");
}
