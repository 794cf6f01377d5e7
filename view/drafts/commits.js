import { fromEntries } from "../../plain.js";
/** @import { Found } from "./read.js" */

const COMMIT = /^commit ([\da-f]{7,64}).*\n((?:[A-Z]\w+: .*\n)+)\n?((?: {4}.*\n?|\n(?= {4}))*)/gm;

/** Commits as Git writes them, and what stands around them. @param {string} text @returns {Found | undefined} */
export function commitsIn(text) {
  const found = [...text.matchAll(COMMIT)];
  if (!found.length || text.slice(0, found[0].index).trim().includes("\n")) return undefined;
  const rows = found.map(([, commit, head, words]) => {
    const [message, ...body] = words.replace(/^ {4}/gm, "").trim().split("\n");
    return { message, body: body.join("\n").trim(), ...fromEntries(head.trim().split("\n").map((line) => line.split(/: +(.*)/))), commit };
  });
  const last = found[found.length - 1];
  return [{ kind: "data", value: rows }, text.slice(last.index + last[0].length)];
}
